package dev.superstep.checkpoint;

import java.util.List;

/// The first write of a run, with which it acquires its thread. Immutable.
public sealed interface FirstWrite {
  Lineage lineage();

  /// A checkpoint, as by [Checkpointer#commit].
  record OfCommit(Commit commit) implements FirstWrite {
    @Override
    public Lineage lineage() {
      return commit.lineage();
    }
  }

  /// Answers to questions, as by [Checkpointer#answer].
  record OfAnswers(Lineage lineage, String checkpoint, List<Answer> answers, List<Entry> journal)
      implements FirstWrite {}
}
