package dev.superstep.retrieval.lucene;

import dev.superstep.retrieval.Chunk;
import dev.superstep.retrieval.ChunkFilter;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;

/// Filters as Lucene's queries, over one term for each fact that can be asked for. Terms are
/// digests, because a term has a limit and a value has none.
final class Filters {
  private static final String SOURCE = "source";
  private static final String HAS = "has";
  private static final String IS = "is";

  private Filters() {}

  /// The terms of all facts about a chunk.
  static List<String> facts(Chunk chunk) {
    var facts = new ArrayList<String>();
    facts.add(fact(SOURCE, "", chunk.provenance().source()));
    chunk
        .metadata()
        .forEach((key, value) -> {
          facts.add(fact(HAS, key, ""));
          facts.add(fact(IS, key, value));
        });
    return facts;
  }

  static Query query(ChunkFilter filter) {
    return switch (filter) {
      case ChunkFilter.OneOf(var key, var values) ->
          any(values.stream().map(value -> fact(IS, key, value)).toList());
      case ChunkFilter.Has(var key) ->
          new TermQuery(new Term(ChunkDocuments.FACTS, fact(HAS, key, "")));
      case ChunkFilter.From(var sources) ->
          any(sources.stream().map(source -> fact(SOURCE, "", source)).toList());
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

  private static String fact(String kind, String key, String value) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      for (var part : List.of(kind, key)) {
        digest.update(part.getBytes(StandardCharsets.UTF_8));
        // No byte of UTF-8, so that no two facts look the same.
        digest.update((byte) 0xff);
      }
      digest.update(value.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest.digest(), 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
