package dev.superstep.retrieval;

/// A possible match, with its vector.
record Candidate(Match match, Embedding embedding) {
  static Candidate of(EmbeddedChunk entry, Embedding sought) {
    double score = entry.embedding().nearness(sought);
    return new Candidate(new Match(entry.chunk(), score), entry.embedding());
  }

  String id() {
    return match.chunk().id();
  }
}
