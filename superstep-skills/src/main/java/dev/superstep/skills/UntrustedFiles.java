package dev.superstep.skills;

import dev.superstep.node.Approval;
import dev.superstep.node.Question;
import java.util.List;

/// Files that a person is to confirm before an agent follows them: the payload of [#QUESTION]. What
/// they say is somebody else's and may be hostile. Immutable.
///
/// @param subject the kind and the folder, such as `skill /home/me/skills/pdf-forms`
/// @param digest of all of them
/// @param files their paths and sizes, such as `scripts/fill.py (210 bytes)`
/// @param text the beginning of what they tell an agent; hidden characters are shown by numbers
public record UntrustedFiles(String subject, String digest, List<String> files, String text) {
  /// Asked before files are used that nobody has confirmed, or that are not as they were confirmed.
  /// A yes counts for this very digest: if the files are changed before it comes, the question is
  /// asked anew.
  public static final Question<UntrustedFiles, Approval> QUESTION =
      Question.of("confirm_files", UntrustedFiles.class, Approval.class);

  /// The most characters of the text.
  public static final int TEXT_MAX = 20_000;

  public UntrustedFiles {
    files = List.copyOf(files);
    if (text.length() > TEXT_MAX) {
      text = text.substring(0, PlainText.whole(text, TEXT_MAX)) + "\n[cut off: there is more]";
    }
  }
}
