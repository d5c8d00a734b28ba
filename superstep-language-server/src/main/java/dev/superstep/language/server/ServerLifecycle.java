package dev.superstep.language.server;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.eclipse.lsp4j.CompletionOptions;
import org.eclipse.lsp4j.InitializeParams;
import org.eclipse.lsp4j.InitializeResult;
import org.eclipse.lsp4j.PositionEncodingKind;
import org.eclipse.lsp4j.RenameOptions;
import org.eclipse.lsp4j.ServerCapabilities;
import org.eclipse.lsp4j.ServerInfo;
import org.eclipse.lsp4j.SetTraceParams;
import org.eclipse.lsp4j.TextDocumentSyncKind;
import org.eclipse.lsp4j.TextDocumentSyncOptions;
import org.eclipse.lsp4j.services.LanguageServer;
import org.eclipse.lsp4j.services.TextDocumentService;
import org.eclipse.lsp4j.services.WorkspaceService;

/// The beginning and the end of a connection, and what the server can do.
final class ServerLifecycle implements LanguageServer {
  private final DocumentService documents;
  private final CompletableFuture<Integer> ended;
  private volatile boolean isShutDown;

  /// @param ended gets the exit code when the editor says `exit`
  ServerLifecycle(DocumentService documents, CompletableFuture<Integer> ended) {
    this.documents = documents;
    this.ended = ended;
  }

  @Override
  public CompletableFuture<InitializeResult> initialize(InitializeParams params) {
    var can = new ServerCapabilities();
    can.setPositionEncoding(PositionEncodingKind.UTF16);
    var sync = new TextDocumentSyncOptions();
    sync.setOpenClose(true);
    sync.setChange(TextDocumentSyncKind.Incremental);
    can.setTextDocumentSync(sync);
    can.setCompletionProvider(new CompletionOptions(false, List.of("\"", "{", "[", ">", " ")));
    can.setHoverProvider(true);
    can.setDefinitionProvider(true);
    can.setReferencesProvider(true);
    can.setRenameProvider(new RenameOptions(true));
    can.setDocumentFormattingProvider(true);
    can.setDocumentSymbolProvider(true);
    return CompletableFuture.completedFuture(
        new InitializeResult(can, new ServerInfo("superstep rag lsp")));
  }

  @Override
  public CompletableFuture<Object> shutdown() {
    isShutDown = true;
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public void exit() {
    ended.complete(isShutDown ? 0 : 1);
  }

  @Override
  public void setTrace(SetTraceParams params) {}

  @Override
  public TextDocumentService getTextDocumentService() {
    return documents;
  }

  @Override
  public WorkspaceService getWorkspaceService() {
    return new NoWorkspace();
  }

  /// Settings and watched files change nothing: names are looked up for each version of a source.
  private static final class NoWorkspace implements WorkspaceService {
    @Override
    public void didChangeConfiguration(org.eclipse.lsp4j.DidChangeConfigurationParams params) {}

    @Override
    public void didChangeWatchedFiles(org.eclipse.lsp4j.DidChangeWatchedFilesParams params) {}
  }
}
