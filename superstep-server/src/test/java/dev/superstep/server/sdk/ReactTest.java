package dev.superstep.server.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.superstep.server.AgentServer;
import dev.superstep.server.options.ServerOptions;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.store.jdbc.SqliteServiceStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The hooks of LangChain for React in Chromium, from a page of another origin: that of
/// `@langchain/react`, which speaks the event-streaming protocol, and the one before it. The chats
/// are in `src/test/sdk/react`.
@Timeout(300)
class ReactTest {
  private static final Path CHAT = Path.of("src/test/sdk/react/chat.tsx");
  private static final Path GUIDE = Path.of("../docs/guide/operations/server.md");

  @TempDir Path folder;

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Test
  void people_chat_watch_tools_answer_edit_and_come_back_with_both_hooks() throws Exception {
    var chromium = System.getenv().getOrDefault("SUPERSTEP_CHROMIUM", "/usr/bin/chromium");
    assumeTrue(Files.isExecutable(Path.of(chromium)), "there is no Chromium at " + chromium);
    var suite = ClientTools.node("react");
    assumeTrue(suite.isPresent(), "Node with npm and its registry are not to be had here");
    var pages = "http://app.localhost:" + freePort();
    var file = folder.resolve("threads.db");
    try (var checkpoints = SqliteCheckpointer.open(file);
        var documents = SqliteServiceStore.open(file);
        var server =
            AgentServer.on(checkpoints, documents)
                .options(ServerOptions.defaults().withOrigins(Set.of(pages)))
                .serving(FixtureGraphs.all())
                .start(0)) {
      var variables =
          Map.of("SUPERSTEP_URL", server.address().toString(), "SUPERSTEP_PAGES", pages);
      var ended = ClientTools.run(suite.get(), List.of("node", "check.mjs"), variables);
      assertThat(ended.orElseThrow().status()).as(ended.get().output()).isZero();
      assertThat(ended.get().output()).contains("ok chat", "ok earlier");
    }
  }

  @Test
  void the_guide_shows_the_chat_that_is_tried() throws Exception {
    assertThat(Files.readString(GUIDE)).contains("```tsx\n" + Files.readString(CHAT) + "```");
  }
}
