package dev.superstep.files;

import dev.superstep.node.Approval;
import dev.superstep.schema.Description;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolContext;
import dev.superstep.tool.ToolError;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.ToolResult;
import dev.superstep.tool.Tools;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Tools by which agents read, search and change the files of a [FileTree]. Who changes a file says
/// by its digest which text it has read; if somebody else was faster, nothing is changed, and the
/// model is told to read again.
///
/// ```java
/// var changes = CollectedChanges.of(FileTree.of(workspace));
/// Agent.named("editor").tools(FileTools.of(changes)); // a person approves the diff
/// ```
///
/// The tools declare their side effects by their [ToolPolicy]; the agent's gate decides whether a
/// person must approve a call.
public final class FileTools {
  private static final int LINES_MAX = 2_000;
  private static final int CHARACTERS_MAX = 30_000;
  private static final int PATHS_MAX = 500;

  private FileTools() {}

  record ReadFile(
      @Description("Such as notes/today.md") String path,
      @Description("The first line to show, from 1; 1 unless given") Optional<Integer> firstLine,
      @Description("How many lines to show; 2000 unless given") Optional<Integer> lines) {}

  record EditFile(
      @Description("Such as notes/today.md") String path,
      @Description("Of the file, as read_file showed it") String digest,
      @Description("The text to replace, exactly as it is in the file") String old,
      @Description("The text that takes its place") String replacement,
      @Description("Whether to replace it wherever it is; else it must be there once")
          Optional<Boolean> all) {}

  record WriteFile(
      @Description("Such as notes/today.md") String path,
      @Description("The whole text of the file") String text,
      @Description("Of the file that is replaced, as read_file showed it; none for a new file")
          Optional<String> digest) {}

  record FindFiles(
      @Description("Such as **/*.md or src/**/Main.java; * and ? within a name, ** over folders")
          String pattern,
      @Description("A folder; all unless given") Optional<String> folder) {}

  record Grep(
      @Description("A regular expression of RE2, looked for in each line") String pattern,
      @Description("A folder; all unless given") Optional<String> folder,
      @Description("Only files whose paths match, such as *.java") Optional<String> glob,
      @Description("Whether A and a are the same; not unless given")
          Optional<Boolean> ignoreCase) {}

  record MoveFile(
      @Description("Such as notes/today.md") String from,
      @Description("Of that file, as read_file showed it") String digest,
      @Description("A path at which there is no file") String to) {}

  record DeleteFile(
      @Description("Such as notes/today.md") String path,
      @Description("Of the file, as read_file showed it") String digest) {}

  record SubmitChanges() {}

  /// All of them, but for `submit_changes`.
  public static Tools of(FileTree files) {
    return Tools.of(all(files));
  }

  /// All of them, with `submit_changes`.
  public static Tools of(CollectedChanges changes) {
    var all = all(changes);
    all.add(submitChanges(changes));
    return Tools.of(all);
  }

  /// Those that change nothing.
  public static Tools reading(FileTree files) {
    return Tools.of(List.of(readFile(files), glob(files), grep(files)));
  }

  private static List<Tool> all(FileTree files) {
    return new ArrayList<>(
        List.of(
            readFile(files),
            glob(files),
            grep(files),
            editFile(files),
            writeFile(files),
            moveFile(files),
            deleteFile(files)));
  }

  /// Something that a tool does, which may meet changes by others.
  @FunctionalInterface
  private interface Work<A> {
    String in(A asked, FileTree files, ToolContext context) throws InterruptedException;
  }

  private static <A extends Record> Tool tool(
      String name, String description, Class<A> arguments, FileTree files, Work<A> work) {
    return Tool.of(
        name,
        description,
        arguments,
        (asked, context) -> {
          try {
            return ToolResult.of(work.in(asked, files.usedBy(context), context));
          } catch (FileConflict conflict) {
            return ToolResult.error(String.valueOf(conflict.getMessage()));
          }
        });
  }

  // --- Reading ---

  /// `read_file`: shows some lines of a file, and its digest.
  public static Tool readFile(FileTree files) {
    return tool(
            "read_file",
            "Shows a text file, or some of its lines, with the digest that changes of it need.",
            ReadFile.class,
            files,
            (asked, tree, _) -> read(asked, tree))
        .withPolicy(ToolPolicy.readOnly());
  }

  private static String read(ReadFile asked, FileTree files) {
    int first = asked.firstLine().orElse(1);
    int most = Math.min(asked.lines().orElse(LINES_MAX), LINES_MAX);
    if (first < 1 || most < 1) {
      throw new ToolError.Other(asked.path(), "Lines are counted from 1. Ask for at least one.");
    }
    var file = files.read(asked.path());
    var all = file.text().split("(?<=\n)", -1);
    int count = file.text().isEmpty() ? 0 : all.length - (all[all.length - 1].isEmpty() ? 1 : 0);
    if (first > Math.max(1, count)) {
      throw new ToolError.Other(asked.path(), "It has %d lines.".formatted(count));
    }
    var shown = new StringBuilder();
    int line = first;
    while (line <= count && line - first < most) {
      var next = all[line - 1];
      if (shown.length() + next.length() > CHARACTERS_MAX && line > first) break;
      shown.append(next);
      line++;
    }
    return "[digest %s, %s]%n"
            .formatted(file.digest(), range(first, line - 1, count))
            .replace(System.lineSeparator(), "\n")
        + (shown.length() > CHARACTERS_MAX
            ? shown.substring(0, CHARACTERS_MAX) + "\n[cut off: the line is longer]"
            : shown);
  }

  private static String range(int first, int last, int count) {
    if (count == 0) return "empty";
    return first == 1 && last == count
        ? (count == 1 ? "1 line" : count + " lines")
        : "lines %d to %d of %d".formatted(first, last, count);
  }

  /// `glob`: finds files by their paths.
  public static Tool glob(FileTree files) {
    return tool(
            "glob",
            "Finds files by a pattern of their paths.",
            FindFiles.class,
            files,
            (asked, tree, _) -> glob(asked, tree))
        .withPolicy(ToolPolicy.readOnly());
  }

  private static String glob(FindFiles asked, FileTree files) {
    var pattern = Glob.of(asked.pattern());
    var list = files.list(asked.folder().orElse(""));
    var text = new StringBuilder();
    int count = 0;
    boolean isCut = list.isCut();
    for (var file : list.files()) {
      if (!pattern.matches(file.path())) continue;
      if (count++ == PATHS_MAX) {
        isCut = true;
        break;
      }
      text.append("%s (%d bytes)".formatted(file.path(), file.bytes())).append('\n');
    }
    if (count == 0) text.append("[no file matches]\n");
    if (isCut) text.append("[cut off: there may be more; name a folder]\n");
    return text.toString().stripTrailing();
  }

  /// `grep`: finds lines in files.
  public static Tool grep(FileTree files) {
    return tool(
            "grep",
            "Finds the lines that match a regular expression, in all files or some.",
            Grep.class,
            files,
            (asked, tree, context) ->
                new TextSearch(tree, asked.pattern(), asked.ignoreCase().orElse(false))
                    .in(asked.folder().orElse(""), asked.glob().map(Glob::of), context))
        .withPolicy(ToolPolicy.readOnly());
  }

  // --- Changing ---

  /// `edit_file`: replaces a text in a file by another.
  public static Tool editFile(FileTree files) {
    return tool(
            "edit_file",
            "Replaces a text in a file, if the file is still as it was read.",
            EditFile.class,
            files,
            (asked, tree, _) -> edit(asked, tree))
        .withPolicy(ToolPolicy.of(SideEffect.WRITES_FILES));
  }

  private static String edit(EditFile asked, FileTree files) {
    var path = asked.path();
    var file = files.read(path);
    var expected = Expected.digest(asked.digest());
    FileConflict.check(path, expected, Optional.of(file.digest()));
    var edit = new TextEdit(path, asked.old(), asked.replacement(), asked.all().orElse(false));
    var edited = edit.in(file.text());
    var now = files.write(path, edited.text(), expected);
    return "Edited %s in %d place%s. Its digest is %s."
        .formatted(path, edited.places(), edited.places() == 1 ? "" : "s", now.digest());
  }

  /// `write_file`: writes a whole file.
  public static Tool writeFile(FileTree files) {
    return tool(
            "write_file",
            "Writes a whole text file: a new one, or one in place of what was read.",
            WriteFile.class,
            files,
            (asked, tree, _) -> {
              boolean isNew = asked.digest().isEmpty();
              var expected = asked.digest().map(Expected::digest).orElse(Expected.absent());
              var now = tree.write(asked.path(), asked.text(), expected);
              return (isNew ? "Made " : "Replaced ")
                  + asked.path()
                  + ". Its digest is "
                  + now.digest()
                  + ".";
            })
        .withPolicy(ToolPolicy.of(SideEffect.WRITES_FILES));
  }

  /// `move_file`: gives a file another path.
  public static Tool moveFile(FileTree files) {
    return tool(
            "move_file",
            "Moves a file to a path at which there is none.",
            MoveFile.class,
            files,
            (asked, tree, _) -> move(asked, tree))
        .withPolicy(ToolPolicy.of(SideEffect.WRITES_FILES));
  }

  private static String move(MoveFile asked, FileTree files) {
    var file = files.read(asked.from());
    var expected = Expected.digest(asked.digest());
    FileConflict.check(asked.from(), expected, Optional.of(file.digest()));
    var made = files.write(asked.to(), file.text(), Expected.absent());
    try {
      files.delete(asked.from(), expected);
    } catch (RuntimeException e) {
      takeBack(files, made);
      throw e;
    }
    return "Moved %s to %s.".formatted(asked.from(), asked.to());
  }

  /// Removes what was written for a move that failed, unless somebody has changed it already.
  private static void takeBack(FileTree files, FileText made) {
    try {
      files.delete(made.path(), Expected.digest(made.digest()));
    } catch (FileConflict _) {
      // Both files stay; nothing is lost.
    }
  }

  /// `delete_file`: deletes a file.
  public static Tool deleteFile(FileTree files) {
    return tool(
            "delete_file",
            "Deletes a file, if it is still as it was read.",
            DeleteFile.class,
            files,
            (asked, tree, _) -> {
              tree.delete(asked.path(), Expected.digest(asked.digest()));
              return "Deleted " + asked.path() + ".";
            })
        .withPolicy(ToolPolicy.of(SideEffect.DESTRUCTIVE));
  }

  /// `submit_changes`: shows a person all changes as one diff, and applies them if they are
  /// approved. If not, they stay collected.
  public static Tool submitChanges(CollectedChanges changes) {
    return tool(
            "submit_changes",
            "Submits all changes to a person as one diff. Until then, no file is changed.",
            SubmitChanges.class,
            changes,
            (_, _, context) -> submit(changes, context))
        .withQuestions(ProposedChanges.QUESTION)
        .withPolicy(ToolPolicy.of(SideEffect.WRITES_FILES, SideEffect.DESTRUCTIVE));
  }

  private static String submit(CollectedChanges changes, ToolContext context) {
    var proposed = changes.proposed();
    var answer = context.ask(ProposedChanges.QUESTION, proposed);
    if (!answer.approved()) return refused(answer);
    // The approval holds for this diff: with another one it was asked for anew.
    if (changes.apply(proposed)) return "Applied: " + String.join(", ", proposed.files()) + ".";
    return "Nothing was applied: the changes are others by now. Submit them again.";
  }

  private static String refused(Approval answer) {
    return answer
        .note()
        .map(note -> "Not approved: " + note)
        .orElse("Not approved. Nothing was applied.");
  }
}
