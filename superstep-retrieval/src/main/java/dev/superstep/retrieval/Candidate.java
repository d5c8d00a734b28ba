package dev.superstep.retrieval;

import dev.superstep.retrieval.vector.EmbeddedChunk;
import dev.superstep.retrieval.vector.Embedding;
import java.util.Optional;

/// A possible match, with its vector.
record Candidate(Match match, Embedding embedding) {
  static Candidate of(EmbeddedChunk entry, Embedding sought) {
    double score = entry.embedding().nearness(sought);
    return new Candidate(new Match(entry.chunk(), score), entry.embedding());
  }

  Candidate fused(double score, Match.Ranks ranks) {
    var fused = new Match(match.chunk(), score, match.similarity(), Optional.of(ranks));
    return new Candidate(fused, embedding);
  }

  String id() {
    return match.chunk().id();
  }
}
