package dev.superstep.retrieval.pgvector;

import dev.superstep.retrieval.chunk.ChunkFacts;
import dev.superstep.retrieval.chunk.ChunkFilter;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// A filter as a condition on the column `facts` of chunks. Immutable.
///
/// @param terms an array for each parameter of the condition, in order
record FilterSql(String condition, List<List<String>> terms) {
  FilterSql {
    terms = List.copyOf(terms);
  }

  static FilterSql of(ChunkFilter filter) {
    var terms = new ArrayList<List<String>>();
    var condition = condition(filter, terms);
    return new FilterSql(condition, terms);
  }

  boolean isAll() {
    return terms.isEmpty() && condition.equals("true");
  }

  /// Sets its parameters.
  ///
  /// @param from the place of the first one
  /// @return the place after the last one
  int bind(PreparedStatement statement, int from) throws SQLException {
    int at = from;
    for (var each : terms) statement.setArray(at++, array(statement, each));
    return at;
  }

  private static Array array(PreparedStatement statement, List<String> terms) throws SQLException {
    return statement.getConnection().createArrayOf("text", terms.toArray());
  }

  private static String condition(ChunkFilter filter, List<List<String>> terms) {
    return switch (filter) {
      case ChunkFilter.OneOf(var key, var values) ->
          anyOf(terms, values.stream().map(value -> ChunkFacts.is(key, value)).toList());
      case ChunkFilter.Has(var key) -> anyOf(terms, List.of(ChunkFacts.has(key)));
      case ChunkFilter.From(var sources) ->
          anyOf(terms, sources.stream().map(ChunkFacts::source).toList());
      case ChunkFilter.And(var filters) -> joined(filters, " and ", "true", terms);
      case ChunkFilter.Or(var filters) -> joined(filters, " or ", "false", terms);
      case ChunkFilter.Not(var one) -> "not (" + condition(one, terms) + ")";
    };
  }

  private static String anyOf(List<List<String>> terms, List<String> some) {
    terms.add(some);
    return "c.facts && ?";
  }

  private static String joined(
      List<ChunkFilter> filters, String operator, String none, List<List<String>> terms) {
    if (filters.isEmpty()) return none;
    return filters.stream()
        .map(one -> condition(one, terms))
        .collect(Collectors.joining(operator, "(", ")"));
  }
}
