import type { StepView } from "./run";

/** The supersteps as they stand below each other: those inside of an unfolded one follow it. */
export function rows(steps: StepView[], unfolded: ReadonlySet<number>): StepView[] {
  if (unfolded.size === 0) return steps;
  return steps.flatMap((step) => unfolded.has(step.offset) ? [step, ...step.inner] : [step]);
}
