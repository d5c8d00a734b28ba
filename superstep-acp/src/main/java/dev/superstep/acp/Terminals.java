package dev.superstep.acp;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The terminals of an editor. Safe for many threads.
///
/// @param isOffered whether the editor has any
/// @param time for each answer but that about the end of a command
record Terminals(Connection connection, String session, boolean isOffered, Duration time) {
  private static final Logger LOG = LoggerFactory.getLogger("dev.superstep.acp");

  /// The end of a command.
  ///
  /// @param how it ended, for a model
  /// @param isCut whether it wrote more than is kept
  /// @param isDone whether it ended by itself
  record Ended(String how, String output, boolean isCut, boolean isDone) {}

  /// Runs a command and waits for its end.
  ///
  /// @param begun gets the id of its terminal
  Ended run(List<String> command, Path folder, Limits limits, Consumer<String> begun)
      throws Connection.NotAnswered, InterruptedException {
    var create = Wire.object().put("sessionId", session).put("command", command.getFirst());
    var arguments = create.putArray("args");
    command.subList(1, command.size()).forEach(arguments::add);
    create.putArray("env");
    create.put("cwd", folder.toString()).put("outputByteLimit", limits.bytes());
    var created = connection.ask("terminal/create", create).await(time, this::end);
    var id = Wire.text(created, "terminalId");
    if (id.isEmpty()) throw new Connection.NotAnswered("the editor gave no terminal");
    begun.accept(id);
    try {
      var how = waited(id, limits.time());
      var output = ask("terminal/output", of(id), time);
      var text = Wire.text(output, "output");
      boolean isCut = output.path("truncated").asBoolean(false) || text.length() > limits.bytes();
      return new Ended(how.how(), Wire.cut(text, limits.bytes()), isCut, how.isDone());
    } finally {
      release(id);
    }
  }

  /// The limits of a command.
  ///
  /// @param bytes of its output that are kept
  record Limits(int bytes, Duration time) {}

  private record How(String how, boolean isDone) {}

  private How waited(String id, Duration most) throws Connection.NotAnswered, InterruptedException {
    try {
      var exit = ask("terminal/wait_for_exit", of(id), most);
      var signal = Wire.text(exit, "signal");
      if (!signal.isEmpty()) return new How("ended by the signal " + signal, false);
      return new How("exit code " + exit.path("exitCode").asInt(-1), true);
    } catch (Connection.NotAnswered | InterruptedException e) {
      kill(id);
      if (e instanceof InterruptedException) throw e;
      return new How("killed: " + e.getMessage(), false);
    }
  }

  /// Ends the command of a terminal that was made when nobody waited for it any more.
  private void end(JsonNode created) {
    var id = Wire.text(created, "terminalId");
    if (id.isEmpty()) return;
    kill(id);
    release(id);
  }

  private void kill(String id) {
    send("terminal/kill", id);
  }

  private void release(String id) {
    send("terminal/release", id);
  }

  /// Without waiting for the answer, since the thread may be interrupted.
  private void send(String method, String id) {
    try {
      connection.ask(method, of(id)).forget();
    } catch (Connection.NotAnswered e) {
      LOG.warn("{} could not be asked for: {}", method, e.why());
    }
  }

  private ObjectNode of(String id) {
    return Wire.object().put("sessionId", session).put("terminalId", id);
  }

  private JsonNode ask(String method, ObjectNode params, Duration most)
      throws Connection.NotAnswered, InterruptedException {
    return connection.ask(method, params).await(most);
  }
}
