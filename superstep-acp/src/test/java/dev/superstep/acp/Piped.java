package dev.superstep.acp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;

/// An agent that is served in this process, and the editor that talks to it.
///
/// @param server the thread that serves
record Piped(Editor editor, Thread server) implements AutoCloseable {
  static Piped to(AcpAgent agent) throws IOException {
    var toAgent = Pipe.open();
    var toEditor = Pipe.open();
    var out = Channels.newOutputStream(toEditor.sink());
    var server =
        Thread.ofPlatform()
            .start(() -> {
              agent.serve(Channels.newInputStream(toAgent.source()), out);
              try {
                out.close();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    var editor =
        new Editor(
            Channels.newInputStream(toEditor.source()), Channels.newOutputStream(toAgent.sink()));
    return new Piped(editor, server);
  }

  @Override
  public void close() throws Exception {
    editor.close();
    server.join();
  }
}
