package dev.superstep.testkit;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.error.ConcurrentWrites;
import dev.superstep.error.Deadlock;
import dev.superstep.error.NodeFailed;
import dev.superstep.error.StepLimitReached;
import dev.superstep.event.Event;
import dev.superstep.event.Origin;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.State;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;

/// How a program ends, resumed and answered as often as it takes.
///
/// @param state all channels and versions as text, or why it cannot end
/// @param facts what tasks and supersteps finished, sorted; nothing unless all did
record Journey(String state, List<String> facts) {
  private static final int RESUMES_MAX = 5_000;
  private static final int STEPS_MAX = 500;

  static RunOptions unkept() {
    return RunOptions.defaults().stepLimit(STEPS_MAX);
  }

  static RunOptions kept() {
    return RunOptions.thread("t")
        .checkpoints(new InMemoryCheckpointer())
        .ids(new CountingIds())
        .stepLimit(STEPS_MAX);
  }

  /// How a thread ends that goes on from where it stands.
  static String resumed(Graph graph, RunOptions options, Function<State, String> show)
      throws Exception {
    return end(graph, options, show, () -> graph.resume(Answers.none(), options));
  }

  /// Whether it came to an end of its own.
  boolean isCompleted() {
    return state.startsWith("{");
  }

  static Journey of(Graph graph, RunOptions options) throws Exception {
    return of(graph, options, RandomProgram::show);
  }

  /// @param show makes the text of the state
  static Journey of(Graph graph, RunOptions options, Function<State, String> show)
      throws Exception {
    var recorder = new EventRecorder();
    var heard = options.listener(recorder);
    var end = end(graph, heard, show, () -> graph.invoke(Input.none(), heard));
    var facts = new ArrayList<String>();
    var journey = new Journey(end, facts);
    // One that fails for good ends wherever its siblings happen to be.
    if (!journey.isCompleted()) return journey;
    for (var event : recorder.events()) fact(event, facts);
    Collections.sort(facts);
    return journey;
  }

  private static void fact(Event event, List<String> facts) {
    switch (event) {
      case Event.NodeFinished(var at, var node, _, var channels, _) ->
          facts.add(place(at) + " finished " + node + " wrote " + channels);
      case Event.StepFinished(var at, _, var changed, var next) ->
          facts.add(place(at) + " changed " + changed + " next " + next);
      // Told again wherever its superstep is.
      case Event.NodeSkipped(var at, var node, _, _) -> {
        var skipped = place(at) + " skipped " + node;
        if (!facts.contains(skipped)) facts.add(skipped);
      }
      default -> {}
    }
  }

  private static String place(Origin at) {
    return "%s %04d".formatted(at.path(), at.step());
  }

  private static String end(
      Graph graph, RunOptions options, Function<State, String> show, Callable<Outcome> first)
      throws Exception {
    var next = first;
    for (int i = 0; i < RESUMES_MAX; i++) {
      var answers = Answers.none();
      try {
        switch (next.call()) {
          case Outcome.Completed(var state) -> {
            return show.apply(state);
          }
          case Outcome.Interrupted(var questions) -> answers = answers(questions, i);
          case Outcome.Stopped(var reason, _) -> throw new AssertionError("stopped: " + reason);
        }
      } catch (Deadlock | ConcurrentWrites | StepLimitReached | NodeFailed e) {
        var why = why(e);
        if (!why.isEmpty()) return why;
      }
      var given = answers;
      next = () -> graph.resume(given, options);
    }
    throw new AssertionError("it does not end");
  }

  /// Why it can never end, or nothing if it is to be resumed.
  private static String why(Throwable error) {
    return switch (error) {
      case Deadlock e -> "stuck at " + e.waiting();
      case ConcurrentWrites e -> "conflict in " + e.channel();
      case StepLimitReached e -> e.limit() > 1 ? "limit" : "";
      case Trouble.OnPurpose _ -> "";
      // Of several that fail for good, a question decides which is met first.
      case NodeFailed e when e.getCause() != null -> why(e.getCause()).isEmpty() ? "" : "fails";
      default -> throw new AssertionError(error);
    };
  }

  /// Now all of them, now only the last.
  private static Answers answers(List<Interrupt> questions, int turn) {
    var answered = turn % 2 == 0 ? questions : List.of(questions.getLast());
    var answers = new ArrayList<Answer>();
    for (var question : answered) {
      var payload = Trouble.Asks.ASK.read(question);
      answers.add(Trouble.Asks.ASK.answer(question, Trouble.Asks.answer(payload)));
    }
    return new Answers(answers);
  }
}
