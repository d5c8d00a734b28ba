package dev.superstep.error;

import dev.superstep.json.SuperstepException;
import dev.superstep.node.ContextKey;
import dev.superstep.node.HandOff;
import java.util.List;
import java.util.Locale;

/// A program uses its graph, its run or the context of a node in a way that cannot work, such as a
/// question in a run that is not stored. The program must change; a retry ends in the same way.
///
/// The node that it happens in fails and saves nothing. Where the options of a run are at fault,
/// nothing has run.
public final class InvalidUse extends SuperstepException {
  private final Reason reason;
  private final String where;
  private final String subject;

  /// The rule that was broken. Its name is that of the error's code, unless something else is said.
  public enum Reason {
    /// Output function of a subgraph returned a question: the answer would run the graph again,
    /// which would ask again.
    MISPLACED_ASK,
    /// Item of a [dev.superstep.graph.Parallel] asked or took a step through the context of the
    /// whole node: two items would get each other's answers and results.
    CONTEXT_SHARED,
    /// Question that the graph does not declare, so that an answer could not be checked.
    UNDECLARED_QUESTION,
    /// Channel read by a node that does not declare it. The code is `graph.undeclared-access`.
    UNDECLARED_READ,
    /// Channel written by a node that does not declare it. The code is `graph.undeclared-access`.
    UNDECLARED_WRITE,
    /// Hand-off to a graph that does not enclose this one.
    NO_OUTER_GRAPH,
    /// Input of a subgraph for a channel that it shares with the outer graph.
    SHARED_INPUT,
    /// Key used for two steps in one run of a node, so that the second one would get the result of
    /// the first.
    STEP_REPEATED,
    /// No command from a node that is followed by the targets of its commands only.
    MISSING_COMMAND,
    /// Null in place of the result of a node.
    RETURNED_NULL,
    /// No long-term store in the options of the run.
    MISSING_STORE,
    /// No value for a context key in the options of the run.
    MISSING_CONTEXT_VALUE,
    /// Answer read by a node that does not run because of that question.
    NO_ANSWER,
    /// Graphs nested without end.
    NESTED_TOO_DEEP,
    /// Question in a run that is not stored, so that no answer could reach it.
    INTERRUPT_NEEDS_CHECKPOINTER,
    /// Breakpoint in a run that is not stored, so that nobody could resume it.
    PAUSE_NEEDS_CHECKPOINTER,
    /// Breakpoint at a node that the graph does not have.
    UNKNOWN_PAUSE;

    private String code() {
      if (this == UNDECLARED_READ || this == UNDECLARED_WRITE) return "graph.undeclared-access";
      return "graph." + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private InvalidUse(Reason reason, String where, String subject, String message) {
    super(reason.code(), message);
    this.reason = reason;
    this.where = where;
    this.subject = subject;
  }

  private static InvalidUse inNode(Reason reason, String node, String subject, String message) {
    return new InvalidUse(reason, node, subject, "Node `" + node + "` " + message);
  }

  private static InvalidUse inGraph(Reason reason, String graph, String subject, String message) {
    return new InvalidUse(reason, graph, subject, "Graph `" + graph + "` " + message);
  }

  public static InvalidUse misplacedAsk(String node) {
    var message =
        "is a graph, and its output function returned a question. Ask in a node of the graph"
            + " inside, or in a node after this one.";
    return inNode(Reason.MISPLACED_ASK, node, "", message);
  }

  public static InvalidUse contextShared(String node) {
    var message =
        "An item in node `%s` uses the context around it, which waits for its items. Use the context that the item was given."
            .formatted(node);
    return new InvalidUse(Reason.CONTEXT_SHARED, node, "", message);
  }

  public static InvalidUse undeclaredQuestion(String graph, String question) {
    var message =
        "does not declare question `%s`. Add the same constant to `questions(...)`."
            .formatted(question);
    return inGraph(Reason.UNDECLARED_QUESTION, graph, question, message);
  }

  public static InvalidUse undeclaredRead(String node, String channel) {
    return undeclared(Reason.UNDECLARED_READ, node, channel, "reads");
  }

  public static InvalidUse undeclaredWrite(String node, String channel) {
    return undeclared(Reason.UNDECLARED_WRITE, node, channel, "writes");
  }

  private static InvalidUse undeclared(Reason reason, String node, String channel, String verb) {
    var message =
        "%s channel `%s`, which it does not declare. Add it to `%1$s(\"%s\", ...)` of the graph."
            .formatted(verb, channel, node);
    return inNode(reason, node, channel, message);
  }

  /// A hand-off to a graph that is not around the node.
  ///
  /// @param outer the names of the graphs that enclose this one
  public static InvalidUse noOuterGraph(String node, HandOff.Destination to, List<String> outer) {
    var wanted =
        switch (to) {
          case HandOff.Destination.Parent() -> "the graph around its own";
          case HandOff.Destination.Named(var graph) -> "graph `" + graph + "`";
        };
    var place = outer.isEmpty() ? "by itself." : "inside of " + outer + " only.";
    var message =
        "hands off to %s, but its graph runs %s Run it as a subgraph there, or return a `Command`."
            .formatted(wanted, place);
    return inNode(Reason.NO_OUTER_GRAPH, node, "", message);
  }

  public static InvalidUse sharedInput(String graph, String channel) {
    var message =
        "The input of subgraph `%s` writes channel `%s`, which it shares with the graph around. Write it in a node, or give the subgraph a channel of its own for it."
            .formatted(graph, channel);
    return new InvalidUse(Reason.SHARED_INPUT, graph, channel, message);
  }

  public static InvalidUse stepRepeated(String node, String key) {
    var message =
        "used step key `%1$s` twice in one run of itself. Give every step a key of its own, such as `%1$s-2`."
            .formatted(key);
    return inNode(Reason.STEP_REPEATED, node, key, message);
  }

  public static InvalidUse missingCommand(String node) {
    var message =
        "has destinations, so it must return a command. Return `Command.to(...)`, with END to end"
            + " this path, or give it edges.";
    return inNode(Reason.MISSING_COMMAND, node, "", message);
  }

  public static InvalidUse returnedNull(String node) {
    var message = "returned null. Return `NodeResult.nothing()` to write nothing.";
    return inNode(Reason.RETURNED_NULL, node, "", message);
  }

  public static InvalidUse missingStore(String node) {
    var message =
        "needs a store, and the run was not given one. Pass it as `options.store(...)`, also when"
            + " the thread is resumed.";
    return inNode(Reason.MISSING_STORE, node, "", message);
  }

  public static InvalidUse missingContextValue(String node, ContextKey<?> key) {
    var message =
        "needs `%s` (%s), and the run was not given it. Pass it as `options.with(key, value)`, also when the thread is resumed, or read it with `find`."
            .formatted(key.name(), key.type().getSimpleName());
    return inNode(Reason.MISSING_CONTEXT_VALUE, node, key.name(), message);
  }

  /// A look for an answer in a task that does not run because of one.
  ///
  /// @param asked the question whose answer the node runs because of, or empty if there is none
  public static InvalidUse noAnswer(String node, String question, String asked) {
    var why =
        asked.isEmpty() ? "it runs without one" : "it runs because `" + asked + "` was answered";
    var message =
        "took the answer to question `%s`, but %s. Look at `context.resumePoint()` first."
            .formatted(question, why);
    return inNode(Reason.NO_ANSWER, node, question, message);
  }

  /// A graph inside too many others.
  ///
  /// @param path the nodes that lead to the graph
  /// @param limit the deepest nesting that is allowed
  public static InvalidUse nestedTooDeep(String graph, List<String> path, int limit) {
    var message =
        "would run inside of %d others%s. Flatten the nesting, or end the recursion earlier."
            .formatted(limit, path.isEmpty() ? "" : ", at " + String.join(" > ", path));
    return inGraph(Reason.NESTED_TOO_DEEP, graph, "", message);
  }

  public static InvalidUse interruptNeedsCheckpointer(String node) {
    return inNode(Reason.INTERRUPT_NEEDS_CHECKPOINTER, node, "", "asked a question, " + UNSTORED);
  }

  public static InvalidUse breakpointNeedsCheckpointer(String graph) {
    return inGraph(Reason.PAUSE_NEEDS_CHECKPOINTER, graph, "", "is to pause, " + UNSTORED);
  }

  private static final String UNSTORED =
      "but the run has no thread that is kept. Run it with"
          + " `RunOptions.thread(...).checkpoints(...)`.";

  /// A breakpoint at a node that the graph does not have.
  ///
  /// @param suggestion a sentence, or nothing
  public static InvalidUse unknownBreakpoint(String graph, String node, String suggestion) {
    var message =
        "is to pause at node `%s`, which it does not have. Name one of its own nodes in `RunOptions.breakpoints(...)`.%s"
            .formatted(node, suggestion);
    return inGraph(Reason.UNKNOWN_PAUSE, graph, node, message);
  }

  /// The rule that was broken.
  public Reason reason() {
    return reason;
  }

  /// The name of the node, or of the graph where no node is at fault.
  public String where() {
    return where;
  }

  /// The name of the channel, question, key or target that it is about; empty if there is none.
  public String subject() {
    return subject;
  }
}
