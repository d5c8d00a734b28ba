package dev.superstep.retrieval.lucene;

import dev.superstep.retrieval.chunk.ChunkFacts;
import dev.superstep.retrieval.chunk.ChunkFilter;
import java.util.List;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;

/// Filters as Lucene's queries, over one term for each fact of [ChunkFacts].
final class Filters {
  private Filters() {}

  static Query query(ChunkFilter filter) {
    return switch (filter) {
      case ChunkFilter.OneOf(var key, var values) ->
          any(values.stream().map(value -> ChunkFacts.is(key, value)).toList());
      case ChunkFilter.Has(var key) ->
          new TermQuery(new Term(ChunkDocuments.FACTS, ChunkFacts.has(key)));
      case ChunkFilter.From(var sources) -> any(sources.stream().map(ChunkFacts::source).toList());
      case ChunkFilter.And(var filters) -> {
        var all = new BooleanQuery.Builder().add(MatchAllDocsQuery.INSTANCE, Occur.FILTER);
        for (var one : filters) all.add(query(one), Occur.FILTER);
        yield all.build();
      }
      case ChunkFilter.Or(var filters) -> {
        var some = new BooleanQuery.Builder().setMinimumNumberShouldMatch(1);
        for (var one : filters) some.add(query(one), Occur.SHOULD);
        yield some.build();
      }
      case ChunkFilter.Not(var one) ->
          new BooleanQuery.Builder()
              .add(MatchAllDocsQuery.INSTANCE, Occur.FILTER)
              .add(query(one), Occur.MUST_NOT)
              .build();
    };
  }

  private static Query any(List<String> facts) {
    return new TermInSetQuery(ChunkDocuments.FACTS, facts.stream().map(BytesRef::new).toList());
  }
}
