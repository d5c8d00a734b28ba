package dev.superstep.eval;

import dev.superstep.eval.dataset.Digests;
import java.util.regex.Pattern;

/// The names of the threads of an evaluation in its store.
final class TrialThread {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._-]{1,80}");

  private TrialThread() {}

  /// The thread of the manifest.
  static String ofManifest(String name) {
    return "eval/" + name;
  }

  /// The thread of a trial.
  static String of(String name, int generation, String item, int repeat) {
    return "eval/%s/%d/%s/%d".formatted(name, generation, word(item), repeat);
  }

  /// The thread of a labelled example of a judge.
  static String ofExample(String name, int generation, String judge, String item) {
    return "eval/%s/%d/judge/%s/%s".formatted(name, generation, word(judge), word(item));
  }

  /// The thread on which the subject of a trial runs.
  static String ofSubject(String trial) {
    return trial + "/subject";
  }

  // The prefix tells the digest of an id from an id that looks like one.
  private static String word(String id) {
    return PLAIN.matcher(id).matches() ? "=" + id : "~" + Digests.of(id);
  }
}
