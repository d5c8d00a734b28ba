package dev.superstep.example.triage;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.model.ChatModel;
import dev.superstep.node.Approval;
import dev.superstep.program.ProgramContext;
import dev.superstep.run.Answers;
import dev.superstep.run.Outcome;
import dev.superstep.run.Outcome.Completed;
import dev.superstep.run.Outcome.Interrupted;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/// Runs the program in a test as the command would.
record Desk(ChatModel model, Path output, RunOptions options) {
  static final Path INBOX = Path.of("inbox");
  static final Instant NOW = Instant.parse("2026-03-20T09:30:00Z");

  static Desk with(ChatModel model, Path output) {
    return new Desk(
        model,
        output,
        RunOptions.thread("desk").checkpoints(new InMemoryCheckpointer()).clock(() -> NOW));
  }

  /// A new graph each time, as another process would make it.
  Graph graph() {
    return new TriageProgram().graph(new ProgramContext(model, output));
  }

  Outcome start(Path source) throws InterruptedException {
    return graph().invoke(new TriageProgram().input(source), options);
  }

  Outcome resume(Answers answers) throws InterruptedException {
    return graph().resume(answers, options);
  }

  /// Runs to the end; every question gets this answer.
  Completed finish(Path source, Function<Interrupt, Approval> person) throws InterruptedException {
    return switch (start(source)) {
      case Completed done -> done;
      case Interrupted(var questions) -> (Completed) resume(answers(questions, person));
      case Outcome.Stopped stopped -> throw new AssertionError("stopped: " + stopped);
    };
  }

  static Answers answers(List<Interrupt> questions, Function<Interrupt, Approval> person) {
    var answers = Answers.none();
    for (var question : questions) {
      answers = answers.and(TriageProgram.MAY_ACT.answer(question, person.apply(question)));
    }
    return answers;
  }

  static String file(Interrupt question) {
    return TriageProgram.MAY_ACT.read(question).heading().file();
  }

  String report() throws java.io.IOException {
    return Files.readString(output.resolve("report.md"));
  }
}
