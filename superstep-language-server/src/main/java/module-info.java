/// The language server for `.rag`: findings, completion, names and layout for editors, over any
/// pair of streams.
///
/// Start at [dev.superstep.language.server.RagLanguageServer].
@org.jspecify.annotations.NullMarked
module dev.superstep.language.server {
  requires transitive dev.superstep.language;
  requires com.google.gson;
  requires org.eclipse.lsp4j;
  requires org.eclipse.lsp4j.jsonrpc;

  exports dev.superstep.language.server;

  // The protocol finds its methods by reflection.
  opens dev.superstep.language.server to
      org.eclipse.lsp4j.jsonrpc;
}
