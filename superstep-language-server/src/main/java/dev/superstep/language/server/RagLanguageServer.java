package dev.superstep.language.server;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.eclipse.lsp4j.jsonrpc.Launcher;
import org.eclipse.lsp4j.jsonrpc.ResponseErrorException;
import org.eclipse.lsp4j.jsonrpc.messages.ResponseError;
import org.eclipse.lsp4j.jsonrpc.messages.ResponseErrorCode;
import org.eclipse.lsp4j.services.LanguageClient;

/// A server of the Language Server Protocol for `.rag` sources.
///
/// ```java
/// int exit = RagLanguageServer.serve(System.in, System.out, ProjectNames.unknown());
/// ```
public final class RagLanguageServer {
  private RagLanguageServer() {}

  /// Serves one editor until it says `exit` or closes its stream. Nothing else may write to `out`.
  ///
  /// @return the exit code that the protocol demands: 0 after `shutdown` and `exit`, else 1
  public static int serve(InputStream in, OutputStream out, ProjectNames names)
      throws InterruptedException {
    var threads = Thread.ofPlatform().daemon().name("superstep-rag-lsp-", 0).factory();
    var worker = Executors.newSingleThreadExecutor(threads);
    var reader = Executors.newThreadPerTaskExecutor(threads);
    try {
      var ended = new CompletableFuture<Integer>();
      var documents = new DocumentService(worker, names);
      var server = new ServerLifecycle(documents, ended);
      var launcher = launcher(server, in, out, reader);
      documents.connect(launcher.getRemoteProxy());
      var listening = launcher.startListening();
      reader.execute(() -> finish(listening, ended));
      return ended.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } finally {
      worker.shutdownNow();
      reader.shutdownNow();
    }
  }

  private static Launcher<LanguageClient> launcher(
      ServerLifecycle server, InputStream in, OutputStream out, ExecutorService reader) {
    return new Launcher.Builder<LanguageClient>()
        .setLocalService(server)
        .setRemoteInterface(LanguageClient.class)
        .setInput(in)
        .setOutput(out)
        .setExecutorService(reader)
        .setExceptionHandler(RagLanguageServer::error)
        .create();
  }

  /// The names of our classes are of no use to an editor.
  private static ResponseError error(Throwable failure) {
    for (var at = failure; at != null; at = at.getCause()) {
      if (at instanceof ResponseErrorException known) return known.getResponseError();
    }
    return new ResponseError(
        ResponseErrorCode.InternalError, "the language server failed at this request", null);
  }

  /// Ends the server when the editor has closed its stream.
  private static void finish(Future<?> listening, CompletableFuture<Integer> ended) {
    try {
      listening.get();
    } catch (InterruptedException | ExecutionException _) {
      // The stream broke, or the server ended before.
    }
    ended.complete(1);
  }
}
