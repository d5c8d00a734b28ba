package dev.superstep.retrieval.lucene;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.retrieval.chunk.Chunk;
import dev.superstep.retrieval.chunk.ChunkFacts;
import dev.superstep.retrieval.chunk.Tokenizer;
import dev.superstep.retrieval.vector.EmbeddedChunk;
import dev.superstep.retrieval.vector.Embedding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.util.BytesRef;

/// Chunks as Lucene's documents: what is asked for in fields of its own, and the chunk as JSON.
final class ChunkDocuments {
  static final String VECTOR = "vector";
  static final String WORDS = "words";
  static final String FACTS = "facts";
  private static final String ID = "id";
  private static final String CHUNK = "chunk";
  private static final Codec<Chunk> CHUNKS = Codec.of(Chunk.class);

  private ChunkDocuments() {}

  static Document of(EmbeddedChunk entry) {
    var chunk = entry.chunk();
    var numbers = entry.embedding().numbers();
    var row = new Document();
    row.add(new StringField(ID, chunk.id(), Field.Store.YES));
    row.add(new StoredField(CHUNK, CHUNKS.encode(chunk).text()));
    row.add(new KnnFloatVectorField(VECTOR, numbers, VectorSimilarityFunction.COSINE));
    row.add(new TextField(WORDS, new WordStream(Tokenizer.of(chunk.text()))));
    for (var fact : ChunkFacts.of(chunk)) row.add(new StringField(FACTS, fact, Field.Store.NO));
    return row;
  }

  static Query withIds(Collection<String> ids) {
    return new TermInSetQuery(ID, ids.stream().map(BytesRef::new).toList());
  }

  /// The ids of all that a query finds.
  static List<String> ids(IndexSearcher searcher, Query query) throws IOException {
    var ids = new ArrayList<String>();
    var weight = searcher.createWeight(searcher.rewrite(query), ScoreMode.COMPLETE_NO_SCORES, 1);
    for (var leaf : searcher.getIndexReader().leaves()) {
      var scorer = weight.scorer(leaf);
      if (scorer == null) continue;
      var live = leaf.reader().getLiveDocs();
      var stored = leaf.reader().storedFields();
      var rows = scorer.iterator();
      int row = rows.nextDoc();
      for (; row != DocIdSetIterator.NO_MORE_DOCS; row = rows.nextDoc()) {
        if (live == null || live.get(row)) ids.add(stored.document(row, Set.of(ID)).get(ID));
      }
    }
    return ids;
  }

  /// The entries of some rows, in the order of the rows.
  static List<EmbeddedChunk> read(IndexSearcher searcher, int[] rows) throws IOException {
    var ascending = rows.clone();
    Arrays.sort(ascending);
    var entries = new HashMap<Integer, EmbeddedChunk>();
    for (var leaf : searcher.getIndexReader().leaves()) read(leaf, ascending, entries);
    return Arrays.stream(rows).mapToObj(entries::get).toList();
  }

  private static void read(
      LeafReaderContext leaf, int[] ascending, Map<Integer, EmbeddedChunk> entries)
      throws IOException {
    int from = firstAtLeast(ascending, leaf.docBase);
    int to = firstAtLeast(ascending, leaf.docBase + leaf.reader().maxDoc());
    if (from == to) return;
    var stored = leaf.reader().storedFields();
    var vectors = leaf.reader().getFloatVectorValues(VECTOR);
    var places = vectors.iterator();
    for (int row : Arrays.copyOfRange(ascending, from, to)) {
      places.advance(row - leaf.docBase);
      var json = stored.document(row - leaf.docBase, Set.of(CHUNK)).get(CHUNK);
      var embedding = Embedding.of(vectors.vectorValue(places.index()));
      entries.put(row, new EmbeddedChunk(CHUNKS.decode(Json.unchecked(json)), embedding));
    }
  }

  private static int firstAtLeast(int[] ascending, int least) {
    int found = Arrays.binarySearch(ascending, least);
    return found < 0 ? -found - 1 : found;
  }
}
