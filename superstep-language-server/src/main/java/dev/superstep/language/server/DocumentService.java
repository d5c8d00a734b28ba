package dev.superstep.language.server;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.eclipse.lsp4j.CompletionItem;
import org.eclipse.lsp4j.CompletionList;
import org.eclipse.lsp4j.CompletionParams;
import org.eclipse.lsp4j.DefinitionParams;
import org.eclipse.lsp4j.DidChangeTextDocumentParams;
import org.eclipse.lsp4j.DidCloseTextDocumentParams;
import org.eclipse.lsp4j.DidOpenTextDocumentParams;
import org.eclipse.lsp4j.DidSaveTextDocumentParams;
import org.eclipse.lsp4j.DocumentFormattingParams;
import org.eclipse.lsp4j.DocumentSymbol;
import org.eclipse.lsp4j.DocumentSymbolParams;
import org.eclipse.lsp4j.Hover;
import org.eclipse.lsp4j.HoverParams;
import org.eclipse.lsp4j.Location;
import org.eclipse.lsp4j.LocationLink;
import org.eclipse.lsp4j.PrepareRenameDefaultBehavior;
import org.eclipse.lsp4j.PrepareRenameParams;
import org.eclipse.lsp4j.PrepareRenameResult;
import org.eclipse.lsp4j.PublishDiagnosticsParams;
import org.eclipse.lsp4j.Range;
import org.eclipse.lsp4j.ReferenceParams;
import org.eclipse.lsp4j.RenameParams;
import org.eclipse.lsp4j.SymbolInformation;
import org.eclipse.lsp4j.TextDocumentIdentifier;
import org.eclipse.lsp4j.TextEdit;
import org.eclipse.lsp4j.WorkspaceEdit;
import org.eclipse.lsp4j.jsonrpc.CompletableFutures;
import org.eclipse.lsp4j.jsonrpc.messages.Either;
import org.eclipse.lsp4j.jsonrpc.messages.Either3;
import org.eclipse.lsp4j.services.LanguageClient;
import org.eclipse.lsp4j.services.TextDocumentService;
import org.jspecify.annotations.Nullable;

/// The sources that an editor shows. Changes are made on the thread that reads messages, in their
/// order; everything else is done by one worker, on the version that was there when it was asked.
final class DocumentService implements TextDocumentService {
  private final Executor worker;
  private final ProjectNames names;
  private final Map<String, OpenDocument> open = new ConcurrentHashMap<>();
  private volatile @Nullable LanguageClient client;

  DocumentService(Executor worker, ProjectNames names) {
    this.worker = worker;
    this.names = names;
  }

  void connect(LanguageClient editor) {
    client = editor;
  }

  @Override
  public void didOpen(DidOpenTextDocumentParams params) {
    var item = params.getTextDocument();
    put(new OpenDocument(item.getUri(), item.getVersion(), item.getText(), names));
  }

  @Override
  public void didChange(DidChangeTextDocumentParams params) {
    var document = open.get(params.getTextDocument().getUri());
    if (document == null) return;
    put(document.changed(params.getTextDocument().getVersion(), params.getContentChanges()));
  }

  @Override
  public void didClose(DidCloseTextDocumentParams params) {
    var uri = params.getTextDocument().getUri();
    if (open.remove(uri) != null) publish(new PublishDiagnosticsParams(uri, List.of()));
  }

  @Override
  public void didSave(DidSaveTextDocumentParams params) {}

  private void put(OpenDocument document) {
    open.put(document.uri(), document);
    try {
      worker.execute(() -> check(document));
    } catch (RejectedExecutionException _) {
      // The server ends.
    }
  }

  /// Tells the editor what is wrong, unless there is a newer version, which is checked later.
  private void check(OpenDocument document) {
    if (open.get(document.uri()) != document) return;
    publish(
        new PublishDiagnosticsParams(
            document.uri(), DocumentDiagnostics.of(document), document.version()));
  }

  private void publish(PublishDiagnosticsParams found) {
    var editor = client;
    if (editor != null) editor.publishDiagnostics(found);
  }

  /// Answers on the worker. A request that is cancelled before its turn costs nothing.
  private <T> CompletableFuture<T> answer(
      TextDocumentIdentifier asked, T otherwise, Function<OpenDocument, T> answer) {
    return orNothing(asked, Optional.of(otherwise), answer.andThen(Optional::of));
  }

  /// Answers on the worker, where the protocol has no value for nothing but null.
  @SuppressWarnings("NullAway")
  private <T> CompletableFuture<T> orNothing(
      TextDocumentIdentifier asked,
      Optional<T> otherwise,
      Function<OpenDocument, Optional<T>> answer) {
    var document = open.get(asked.getUri());
    if (document == null) return CompletableFuture.completedFuture(otherwise.orElse(null));
    return CompletableFutures.computeAsync(
        worker,
        cancelled -> {
          cancelled.checkCanceled();
          return answer.apply(document).orElse(null);
        });
  }

  @Override
  public CompletableFuture<Either<List<CompletionItem>, CompletionList>> completion(
      CompletionParams params) {
    return answer(
        params.getTextDocument(),
        Either.forLeft(List.of()),
        document ->
            Either.forLeft(
                new Completions(document, document.offset(params.getPosition())).items()));
  }

  @Override
  public CompletableFuture<Hover> hover(HoverParams params) {
    return orNothing(
        params.getTextDocument(),
        Optional.empty(),
        document -> Hovers.at(document, document.offset(params.getPosition())));
  }

  @Override
  public CompletableFuture<Either<List<? extends Location>, List<? extends LocationLink>>>
      definition(DefinitionParams params) {
    return answer(
        params.getTextDocument(),
        Either.forLeft(List.of()),
        document ->
            Either.forLeft(
                document
                    .symbols()
                    .at(document.offset(params.getPosition()))
                    .flatMap(found -> document.symbols().definition(found.symbol()))
                    .map(found -> new Location(document.uri(), document.range(found.span())))
                    .stream()
                    .toList()));
  }

  @Override
  public CompletableFuture<List<? extends Location>> references(ReferenceParams params) {
    return answer(
        params.getTextDocument(),
        List.of(),
        document ->
            document
                .symbols()
                .at(document.offset(params.getPosition()))
                .map(found -> document.symbols().occurrences(found.symbol()))
                .orElse(List.of())
                .stream()
                .filter(each -> params.getContext().isIncludeDeclaration() || !each.isDefinition())
                .map(each -> new Location(document.uri(), document.range(each.span())))
                .toList());
  }

  @Override
  public CompletableFuture<Either3<Range, PrepareRenameResult, PrepareRenameDefaultBehavior>>
      prepareRename(PrepareRenameParams params) {
    return orNothing(
        params.getTextDocument(),
        Optional.empty(),
        document -> {
          var found = Renaming.at(document, document.offset(params.getPosition()));
          var range = document.range(found.span());
          return Optional.of(
              Either3.forSecond(new PrepareRenameResult(range, found.symbol().name())));
        });
  }

  @Override
  public CompletableFuture<WorkspaceEdit> rename(RenameParams params) {
    return orNothing(
        params.getTextDocument(),
        Optional.empty(),
        document -> {
          var found = Renaming.at(document, document.offset(params.getPosition()));
          var edits = Renaming.edits(document, found.symbol(), params.getNewName());
          return Optional.of(new WorkspaceEdit(Map.of(document.uri(), edits)));
        });
  }

  @Override
  public CompletableFuture<List<? extends TextEdit>> formatting(DocumentFormattingParams params) {
    return answer(params.getTextDocument(), List.of(), Layouts::edits);
  }

  @Override
  public CompletableFuture<List<Either<SymbolInformation, DocumentSymbol>>> documentSymbol(
      DocumentSymbolParams params) {
    return answer(params.getTextDocument(), List.of(), Outline::of);
  }
}
