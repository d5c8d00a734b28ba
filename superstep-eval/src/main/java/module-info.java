/// Measures agents, graphs and functions on datasets: checks, judges, intervals, comparisons.
///
/// Start at [dev.superstep.eval.Evaluation].
@org.jspecify.annotations.NullMarked
module dev.superstep.eval {
  requires transitive dev.superstep.agent;
  requires re2j;
  requires tools.jackson.databind;
  requires static org.junit.jupiter.api;

  exports dev.superstep.eval;
  exports dev.superstep.eval.check;
  exports dev.superstep.eval.dataset;
  exports dev.superstep.eval.junit;
  exports dev.superstep.eval.report;
  exports dev.superstep.eval.stats;

  // What is saved of an evaluation, and the forms of a judge's verdict, are hidden records.
  opens dev.superstep.eval to
      tools.jackson.databind;
  opens dev.superstep.eval.check to
      tools.jackson.databind;
}
