package dev.superstep.example.guide.cookbook.graphs;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.EncryptedCheckpointer;
import dev.superstep.checkpoint.KeyRing;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.NodeResult;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;

/// Checkpoints that are encrypted before they reach the file.
public final class Sealed {
  static final Channel<String, String> NOTE = Channel.latest("note", String.class);

  private Sealed() {}

  static Checkpointer open(Path file, byte[] key) {
    return EncryptedCheckpointer.over(SqliteCheckpointer.open(file), KeyRing.of("2027", key));
  }

  static Graph graph() {
    return Graph.named("notes")
        .channels(NOTE)
        .node("read", (_, _) -> NodeResult.nothing())
        .edge(START, "read")
        .edge("read", END)
        .compile();
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    Path file = Files.createTempDirectory("notes").resolve("threads.db");
    var key = new byte[KeyRing.KEY_BYTES]; // yours comes from a key service
    new SecureRandom().nextBytes(key);
    try (var store = open(file, key)) {
      var options = RunOptions.thread("ann").checkpoints(store);
      graph().invoke(Input.of(NOTE, "The code is 4711."), options);
      System.out.println(graph().state(options).orElseThrow().state().get(NOTE));
    }
    var bytes = Files.readString(file, ISO_8859_1);
    System.out.println("readable in the file: " + bytes.contains("4711"));
  }
}
