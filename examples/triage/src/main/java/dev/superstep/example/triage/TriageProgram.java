package dev.superstep.example.triage;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.example.triage.Reading.Classified;
import dev.superstep.graph.Graph;
import dev.superstep.node.Approval;
import dev.superstep.node.Command;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.program.Program;
import dev.superstep.program.ProgramContext;
import dev.superstep.program.UnusableInput;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.nio.file.Path;
import java.util.List;

/// Reads a folder of messages, lets a model sort them, asks a person about the risky ones, and
/// writes a report. Every message is a task of its own: after a crash, an error or a question, only
/// what had not finished runs again.
public final class TriageProgram implements Program {
  static final Channel<String, String> SOURCE = Channel.latest("source", String.class);
  static final Channel<List<MessageFile>, MessageFile> FILES =
      Channel.append("files", MessageFile.class);
  static final Channel<List<Reading>, Reading> READINGS = Channel.append("readings", Reading.class);
  static final Channel<List<Decision>, Decision> DECISIONS =
      Channel.append("decisions", Decision.class);
  static final Channel<String, String> REPORT = Channel.latest("report", String.class);

  static final Target<MessageFile> CLASSIFY = Target.of("classify", MessageFile.class);
  static final Target<Classified> APPROVE = Target.of("approve", Classified.class);
  static final Question<Classified, Approval> MAY_ACT =
      Question.of("may-act", Classified.class, Approval.class);

  @Override
  public Graph graph(ProgramContext surroundings) {
    var classifier = new Classifier(surroundings.model());
    return Graph.named("triage")
        .channels(SOURCE, FILES, READINGS, DECISIONS, REPORT)
        .questions(MAY_ACT)
        .node("read", (state, _) -> Update.all(FILES, inbox(state).files()))
        .node(
            CLASSIFY,
            (file, state, context) ->
                Update.of(READINGS, classifier.classify(file, inbox(state).read(file), context)))
        .node("review", (state, _) -> review(state))
        .node(APPROVE, (risky, _, context) -> approve(risky, context))
        .node("report", (state, context) -> report(state, context, surroundings))
        .edge(START, "read")
        .fanOut("read", state -> sends(CLASSIFY, state.get(FILES)), CLASSIFY)
        .edge("classify", "review")
        .destinations("review", "approve", "report")
        .edge("approve", "report")
        .edge("report", END)
        .compile();
  }

  private static NodeResult review(State state) {
    var risky = Triaged.of(state).risky();
    return risky.isEmpty() ? Command.to("report") : Command.send(sends(APPROVE, risky));
  }

  private static NodeResult approve(Classified risky, NodeContext context) {
    var answer = context.interrupt(MAY_ACT, risky);
    return Update.of(DECISIONS, new Decision(risky, answer.approved(), answer.note()));
  }

  private static NodeResult report(State state, NodeContext context, ProgramContext surroundings)
      throws Exception {
    var text = Report.of(Triaged.of(state), context.clock().instant());
    var file = ReportFile.in(surroundings.output());
    return Update.of(
        REPORT, context.step("write", String.class, () -> file.write(text).toString()));
  }

  private static Inbox inbox(State state) {
    return new Inbox(Path.of(state.get(SOURCE)));
  }

  private static <A> List<Send<?>> sends(Target<A> target, List<A> arguments) {
    return arguments.stream().<Send<?>>map(argument -> Send.to(target, argument)).toList();
  }

  @Override
  public Input input(Path source) throws UnusableInput {
    return Input.of(SOURCE, Inbox.open(source).source().toString());
  }

  @Override
  public String ask(Interrupt question) {
    return Sentences.ask(MAY_ACT.read(question));
  }

  @Override
  public String summary(State state) {
    return Path.of(state.get(REPORT)) + "\n" + Sentences.counts(Triaged.of(state));
  }
}
