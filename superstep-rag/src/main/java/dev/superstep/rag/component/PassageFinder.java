package dev.superstep.rag.component;

/// A search for passages that help to answer a question, under a name that nodes use as
/// `retriever`. Safe for many threads.
///
/// ```java
/// registry.register(Component.of(RagKind.RETRIEVER, "handbook",
///     question -> new Passages(retriever.retrieve(question)).text()));
/// ```
@FunctionalInterface
public interface PassageFinder {
  /// The passages as a model is to read them, with their sources; blank if there are none.
  ///
  /// @param question everything that the node says to its model
  /// @throws InterruptedException if the run is cancelled
  String find(String question) throws InterruptedException;
}
