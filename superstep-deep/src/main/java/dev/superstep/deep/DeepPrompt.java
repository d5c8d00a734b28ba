package dev.superstep.deep;

import java.util.ArrayList;

/// The instructions of a deep agent. Immutable.
///
/// @param hasFiles whether it has files
/// @param hasMemories whether some of them outlast the conversation
/// @param offloads whether large results are put into files
/// @param hasHelpers whether it may give tasks away
/// @param isHelper whether it works on a task that was given away
record DeepPrompt(
    boolean hasFiles, boolean hasMemories, boolean offloads, boolean hasHelpers, boolean isHelper) {
  private static final String FILES =
      """
      You have files, which the tools `glob`, `grep`, `read_file`, `write_file` and `edit_file` \
      find, read and change. Put what is long or will be needed later into them: notes, findings, \
      drafts, results. Look there before you ask or search again.\
      """;

  private static final String MEMORIES =
      """
      Files in the folder `memories` outlast this conversation. Look into them at the start of a \
      task, and write down what will help next time: what the user prefers, what was learned. \
      Never write secrets there.\
      """;

  private static final String OFFLOAD =
      """
      Long results of tools are in files in the folder `results`; you see their beginning and end. \
      Read the parts that you need.\
      """;

  private static final String HELPERS =
      """
      Some tools give a task to another agent, with a context of its own. It knows only what you \
      write, so write all that it needs: the aim, the facts, the files, the form of the answer. Use \
      it for work whose details you do not need yourself, and give away several independent tasks \
      at once. Check what comes back.\
      """;

  private static final String HELPER =
      """
      You work on one task for another agent, which sees nothing but your last message. Put into it \
      all that was asked for.\
      """;

  String after(String instructions) {
    var parts = new ArrayList<String>();
    if (!instructions.isBlank()) parts.add(instructions.strip());
    if (isHelper) parts.add(HELPER);
    if (hasFiles) parts.add(FILES);
    if (hasMemories) parts.add(MEMORIES);
    if (offloads) parts.add(OFFLOAD);
    if (hasHelpers) parts.add(HELPERS);
    return String.join("\n\n", parts);
  }
}
