/// A bridge to LangChain4j in both directions.
///
/// Start at [dev.superstep.langchain4j.FromLangChain4j] to use its models and tools here, at
/// [dev.superstep.langchain4j.ForLangChain4j] to use ours there.
@org.jspecify.annotations.NullMarked
module dev.superstep.langchain4j {
  requires transitive dev.superstep.agent;
  requires transitive langchain4j.core;
  requires tools.jackson.databind;

  exports dev.superstep.langchain4j;

  // Hidden records of these packages are stored as JSON.
  opens dev.superstep.langchain4j to
      tools.jackson.databind;
}
