/// An index of documents in PostgreSQL, by its extension pgvector, for search by meaning and by
/// words.
///
/// Start at [dev.superstep.retrieval.pgvector.PostgresVectors].
@org.jspecify.annotations.NullMarked
module dev.superstep.pgvector {
  requires transitive dev.superstep.retrieval;
  requires transitive java.sql;

  exports dev.superstep.retrieval.pgvector;
}
