package dev.superstep.example.migration.langchain4j.before;

import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.output.Response;
import dev.superstep.example.migration.langchain4j.Letters;
import java.util.List;

/// Finds texts near to each other that have the same letters. Immutable.
final class LetterEmbedder implements EmbeddingModel {
  @Override
  public Response<List<Embedding>> embedAll(List<TextSegment> segments) {
    return Response.from(
        segments.stream().map(segment -> Embedding.from(Letters.vector(segment.text()))).toList());
  }
}
