package dev.superstep.acp;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.run.Input;
import dev.superstep.state.State;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// An agent or a graph as editors talk to it, by version 1 of the Agent Client Protocol. Immutable,
/// safe for many threads; each method returns a changed copy.
///
/// ```java
/// var files = EditorFiles.alone();
/// var agent = Agent.named("coder").model(model).tools(FileTools.of(files)).build();
/// try (var store = SqliteCheckpointer.open(Path.of("sessions.db"))) {
///   AcpAgent.of(agent, store).serve();
/// }
/// ```
///
/// A session is a thread of the checkpointer, of the same name. A question of the agent is asked in
/// the editor; if the process ends before the answer, it is asked again when the session is loaded.
/// The servers that an editor names in a session are not started.
public final class AcpAgent {
  private final Served served;

  private AcpAgent(Served served) {
    this.served = served;
  }

  /// An agent.
  public static AcpAgent of(Agent<?> agent, Checkpointer store) {
    return of(agent.graph(), store);
  }

  /// A graph with a conversation: its first channel that is a list of messages.
  ///
  /// @throws IllegalArgumentException if it has none
  public static AcpAgent of(Graph graph, Checkpointer store) {
    return of(Source.of(graph), store);
  }

  /// A graph without a conversation. Each prompt is a run of its own on the thread of the session,
  /// and a loaded session shows the end of the newest one.
  ///
  /// @param prompt makes the input of the text of a prompt
  /// @param ending makes the text for the person from the state at the end of a run
  public static AcpAgent of(
      Graph graph,
      Checkpointer store,
      Function<String, Input> prompt,
      Function<State, String> ending) {
    return of(new Source(graph, Optional.empty(), prompt, ending, Optional.empty()), store);
  }

  private static AcpAgent of(Source source, Checkpointer store) {
    return new AcpAgent(
        new Served(
            source,
            store,
            UnaryOperator.identity(),
            AcpLimits.standard(),
            false,
            Map.of(),
            source.graph().name(),
            "0"));
  }

  /// Returns a copy with a title for people and a version.
  public AcpAgent titled(String title, String version) {
    return new AcpAgent(
        new Served(
            served.source(),
            served.store(),
            served.options(),
            served.limits(),
            served.images(),
            served.kinds(),
            title,
            version));
  }

  /// Returns a copy with other limits.
  public AcpAgent within(AcpLimits limits) {
    return new AcpAgent(
        new Served(
            served.source(),
            served.store(),
            served.options(),
            limits,
            served.images(),
            served.kinds(),
            served.title(),
            served.version()));
  }

  /// Returns a copy that takes pictures in prompts, for a model that reads them.
  public AcpAgent takingImages() {
    return new AcpAgent(
        new Served(
            served.source(),
            served.store(),
            served.options(),
            served.limits(),
            true,
            served.kinds(),
            served.title(),
            served.version()));
  }

  /// Returns a copy with more options for its runs, such as a long-term store or a deadline.
  public AcpAgent running(UnaryOperator<RunOptions> more) {
    UnaryOperator<RunOptions> before = served.options();
    return new AcpAgent(
        new Served(
            served.source(),
            served.store(),
            options -> more.apply(before.apply(options)),
            served.limits(),
            served.images(),
            served.kinds(),
            served.title(),
            served.version()));
  }

  /// Returns a copy that tells editors to show a tool as one of this kind. The tools of this
  /// project's modules have kinds already.
  public AcpAgent showing(String tool, ToolKind kind) {
    var kinds = new HashMap<>(served.kinds());
    kinds.put(tool, kind);
    return new AcpAgent(
        new Served(
            served.source(),
            served.store(),
            served.options(),
            served.limits(),
            served.images(),
            Map.copyOf(kinds),
            served.title(),
            served.version()));
  }

  /// Returns a copy that words the questions of the graph.
  public AcpAgent wording(Function<Interrupt, String> words) {
    var source = served.source();
    var worded =
        new Source(
            source.graph(),
            source.conversation(),
            source.input(),
            source.ending(),
            Optional.of(words));
    return new AcpAgent(
        new Served(
            worded,
            served.store(),
            served.options(),
            served.limits(),
            served.images(),
            served.kinds(),
            served.title(),
            served.version()));
  }

  /// Serves the editor that started this process, by its standard streams, until that closes them.
  /// Other output goes to the error output from now on.
  public void serve() {
    var in = new FileInputStream(FileDescriptor.in);
    var out = new FileOutputStream(FileDescriptor.out);
    System.setOut(System.err);
    serve(in, out);
  }

  /// Serves one editor by two streams, until it closes its side. Turns that are at work then are
  /// stopped, and go on when their session is loaded. The streams stay open.
  ///
  /// @param out for this alone: anything else that is written to it breaks the protocol
  public void serve(InputStream in, OutputStream out) {
    var connection = new Connection(out, served.limits());
    var methods = new AcpMethods(served, connection);
    try {
      connection.serve(in, methods);
    } finally {
      methods.end();
    }
  }

  @Override
  public String toString() {
    return "AcpAgent[" + served.name() + "]";
  }
}
