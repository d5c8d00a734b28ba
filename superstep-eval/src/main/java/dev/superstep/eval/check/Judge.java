package dev.superstep.eval.check;

import dev.superstep.eval.dataset.Digests;
import dev.superstep.eval.dataset.Labelled;
import dev.superstep.eval.stats.Agreement;
import dev.superstep.model.ChatModel;
import dev.superstep.model.StructuredCall;
import dev.superstep.schema.Description;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A check by a model as judge, with a rubric. It is worth as much as its agreement with people who
/// labelled examples, so measure that: [#agreement], or [dev.superstep.eval.Evaluation#judgedBy].
///
/// ```java
/// Judge.passOrFail("polite", model, "The answer is polite and does not blame the customer.")
/// ```
///
/// The model gives its reason before its verdict, in a fixed form. What it judges is untrusted, and
/// is handed over as JSON that it is told not to obey. Immutable, safe for many threads.
public final class Judge implements Check {
  private static final int SHOWN_MAX = 100_000;
  private static final String VERSION = "1";

  private final String name;
  private final ChatModel model;
  private final String rubric;
  private final @Nullable Scale scale;

  private record Scale(int most, int passes) {}

  private Judge(String name, ChatModel model, String rubric, @Nullable Scale scale) {
    if (name.isBlank()) throw new IllegalArgumentException("name must not be blank");
    if (rubric.isBlank()) throw new IllegalArgumentException("rubric must not be blank");
    this.name = name;
    this.model = model;
    this.rubric = rubric;
    this.scale = scale;
  }

  /// A judge that passes or fails a trial.
  ///
  /// @param rubric what a good output is
  public static Judge passOrFail(String name, ChatModel model, String rubric) {
    return new Judge(name, model, rubric, null);
  }

  /// A judge that gives whole points.
  ///
  /// @param rubric what earns how many points
  /// @param most the most points, at least 1; 0 are the least
  /// @param passes with so many points a trial passes
  public static Judge points(String name, ChatModel model, String rubric, int most, int passes) {
    if (most < 1 || passes < 0 || passes > most) {
      throw new IllegalArgumentException(
          "most must be at least 1 and passes 0 to most, were " + most + " and " + passes);
    }
    return new Judge(name, model, rubric, new Scale(most, passes));
  }

  /// The verdict of a judge without points.
  record PassOrFail(
      @Description("Why, in one or two sentences, by the rubric.") String reason,
      @Description("Whether the output is good by the rubric.") boolean passed) {}

  /// The verdict of a judge with points.
  record Points(
      @Description("Why, in one or two sentences, by the rubric.") String reason,
      @Description("The points that the rubric gives, a whole number.") int points) {}

  @Override
  public String name() {
    return name;
  }

  @Override
  public String version() {
    return name + " " + Digests.of(VERSION + model.ref().url() + "\n" + scale + "\n" + rubric);
  }

  @Override
  public Verdict check(Checked trial) throws InterruptedException {
    var asked = trial.models().apply(model);
    var question = JudgePrompt.of(rubric, trial, SHOWN_MAX, points());
    if (scale == null) {
      var verdict = StructuredCall.of(asked, PassOrFail.class).ask(question).value();
      return new Verdict(
          verdict.passed() ? Verdict.Outcome.PASSED : Verdict.Outcome.FAILED,
          verdict.passed() ? 1 : 0,
          verdict.reason());
    }
    var verdict = StructuredCall.of(asked, Points.class).ask(question).value();
    if (verdict.points() < 0 || verdict.points() > scale.most()) {
      return Verdict.error(
          "the judge gave " + verdict.points() + " points of 0 to " + scale.most());
    }
    return new Verdict(
        verdict.points() >= scale.passes() ? Verdict.Outcome.PASSED : Verdict.Outcome.FAILED,
        (double) verdict.points() / scale.most(),
        verdict.points() + " of " + scale.most() + ": " + verdict.reason());
  }

  private String points() {
    return scale == null
        ? "Say whether it passes."
        : "Give it whole points from 0 to " + scale.most() + ".";
  }

  /// Judges labelled examples, one after the other, and counts how often it agrees.
  ///
  /// @throws InterruptedException if the calling thread is interrupted
  public Agreement agreement(List<Labelled> examples) throws InterruptedException {
    var counts = Agreement.NONE;
    for (var example : examples) {
      Verdict verdict;
      try {
        verdict = check(Checked.of(example.item(), Observation.answer(example.output())));
      } catch (RuntimeException e) {
        verdict = Verdict.error(String.valueOf(e.getMessage()));
      }
      counts = counted(counts, example.passed(), verdict);
    }
    return counts;
  }

  /// Counts a verdict on an example that a person has labelled.
  public static Agreement counted(Agreement before, boolean label, Verdict verdict) {
    return switch (verdict.outcome()) {
      case PASSED -> before.plus(label, true);
      case FAILED -> before.plus(label, false);
      case ERROR -> before.plusError();
    };
  }

  @Override
  public String toString() {
    return "Judge[" + name + ", " + model.ref() + "]";
  }
}
