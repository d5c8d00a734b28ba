package dev.superstep.documents;

import java.util.List;
import java.util.stream.Collectors;

/// Loaders of which the first that accepts a document reads it. Immutable.
record LoaderChain(List<DocumentLoader> loaders) implements DocumentLoader {
  @Override
  public boolean accepts(SourceDocument document) {
    return loaders.stream().anyMatch(loader -> loader.accepts(document));
  }

  @Override
  public StructuredDocument load(SourceDocument document) throws InterruptedException {
    for (var loader : loaders) if (loader.accepts(document)) return loader.load(document);
    throw new UnsupportedDocument(document.id(), id());
  }

  @Override
  public String id() {
    return loaders.stream().map(DocumentLoader::id).collect(Collectors.joining(", "));
  }

  @Override
  public String id(SourceDocument document) {
    for (var loader : loaders) if (loader.accepts(document)) return loader.id(document);
    return id();
  }
}
