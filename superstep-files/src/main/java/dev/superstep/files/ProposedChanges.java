package dev.superstep.files;

import dev.superstep.node.Approval;
import dev.superstep.node.Question;
import java.util.List;

/// Changes of files that an agent submits to a person: the payload of [#QUESTION]. Immutable.
///
/// @param diff unified
/// @param files the paths of the changed files
/// @param digest of all that is to be applied
public record ProposedChanges(String diff, List<String> files, String digest) {
  /// Asked by `submit_changes`. An approval counts for this very diff: if the files are changed
  /// before it comes, the question is asked anew.
  public static final Question<ProposedChanges, Approval> QUESTION =
      Question.of("submit_changes", ProposedChanges.class, Approval.class);

  /// The most characters of a diff.
  public static final int DIFF_MAX = 400_000;

  public ProposedChanges {
    files = List.copyOf(files);
  }
}
