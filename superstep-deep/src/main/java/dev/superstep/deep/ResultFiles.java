package dev.superstep.deep;

import dev.superstep.files.Expected;
import dev.superstep.files.FileTree;
import dev.superstep.files.ThreadFiles;
import dev.superstep.message.Content;
import dev.superstep.message.ToolCall;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Middleware;
import dev.superstep.tool.ToolError;
import dev.superstep.tool.ToolResult;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Puts large results of tools into files, and shows the model their beginning and end. Immutable.
///
/// @param ofThread whose files those are; null if they are those of the tree
record ResultFiles(int most, @Nullable ThreadFiles ofThread, FileTree tree) implements Middleware {
  private static final String FOLDER = "results/";
  private static final int DIGEST_BYTES = 6;

  /// Tools that show files or parts of them: their results are not put into files again.
  private static final Set<String> READERS =
      Set.of("read_file", "glob", "grep", "load_skill", "read_skill_file", "find_skills");

  @Override
  public ToolResult afterTool(ToolCall call, ToolResult result, AgentContext context) {
    var text = result.text();
    if (text.length() <= most || READERS.contains(call.tool())) return result;
    var path =
        FOLDER + call.tool() + "-" + digest(context.node().task() + "/" + call.id()) + ".txt";
    try {
      var files = ofThread == null ? tree : ofThread.during(call, context);
      files.write(path, text, Expected.anything());
    } catch (ToolError _) {
      return result; // there is no room for it: the model sees it whole
    }
    var content = new ArrayList<>(Content.of(shown(text, path)));
    for (var part : result.content()) if (!(part instanceof Content.Text)) content.add(part);
    return new ToolResult(
        content, result.error(), result.artifact(), result.patch(), result.isFinal());
  }

  private String shown(String text, String path) {
    int part = most / 10;
    int head = whole(text, part * 2);
    int tail = whole(text, text.length() - part);
    return "%s\n[... %d characters left out ...]\n%s\n[the whole result is in the file `%s`]"
        .formatted(text.substring(0, head), tail - head, text.substring(tail), path);
  }

  private static int whole(String text, int at) {
    boolean splits = at > 0 && at < text.length() && Character.isLowSurrogate(text.charAt(at));
    return splits ? at - 1 : at;
  }

  private static String digest(String text) {
    try {
      var whole =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(whole, 0, DIGEST_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  @Override
  public Touches touches() {
    return Touches.METADATA;
  }

  @Override
  public String toString() {
    return "ResultFiles[over " + most + " characters]";
  }
}
