package dev.superstep.skills;

import dev.superstep.sandbox.Tier;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.ToolContext;
import dev.superstep.tool.ToolError;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.ToolResult;
import dev.superstep.workspace.AllowedCommand;
import dev.superstep.workspace.CommandResult;
import dev.superstep.workspace.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Runs scripts of skills in a workspace, on a copy of the skill that was read and confirmed.
/// Immutable.
///
/// @param workspace whose files they work on, in whose tier they run
/// @param programs that run them, by the endings of their names
/// @param isApproved whether a person approves each call
record SkillScripts(Workspace workspace, Map<String, String> programs, boolean isApproved) {
  private static final Duration SLACK = Duration.ofSeconds(20);
  private static final int ARGUMENTS_MAX = 64;
  private static final int CHARACTERS_MAX = 32_000;

  static final Map<String, String> STANDARD =
      Map.of("py", "python3", "sh", "sh", "bash", "bash", "js", "node");

  SkillScripts {
    programs = Map.copyOf(programs);
  }

  SkillScripts with(String ending, String program) {
    var more = new TreeMap<>(programs);
    more.put(ending, program);
    return new SkillScripts(workspace, more, isApproved);
  }

  SkillScripts unapproved() {
    if (workspace.tier() == Tier.PROCESS) {
      throw new IllegalArgumentException(
          "Scripts run without approval in a sandbox only, and tier PROCESS is none. Give the"
              + " workspace a stricter tier by sandbox(...).");
    }
    return new SkillScripts(workspace, programs, false);
  }

  ToolPolicy policy() {
    var policy = ToolPolicy.of(SideEffect.WRITES_FILES, SideEffect.DESTRUCTIVE, SideEffect.NETWORK);
    return isApproved ? policy.approved() : policy;
  }

  Duration timeout() {
    return workspace.limits().commandTime().plus(SLACK);
  }

  ToolResult run(Skill skill, String script, List<String> arguments, ToolContext context)
      throws InterruptedException {
    var path = script.startsWith(Skill.SCRIPTS) ? script : Skill.SCRIPTS + script;
    if (!skill.scripts().contains(path)) {
      return ToolResult.error(
          "Skill `%s` has no script `%s`. It has: %s."
              .formatted(skill.name(), PlainText.oneLine(script, 100), names(skill)));
    }
    var ending = path.substring(path.lastIndexOf('.') + 1);
    var program = programs.get(ending);
    if (program == null) {
      return ToolResult.error(
          "Nothing runs files that end with `.%s`. Known are: %s."
              .formatted(
                  PlainText.oneLine(ending, 20),
                  String.join(", ", new TreeMap<>(programs).keySet())));
    }
    int length = arguments.stream().mapToInt(String::length).sum();
    if (arguments.size() > ARGUMENTS_MAX || length > CHARACTERS_MAX) {
      return ToolResult.error("The arguments are too many or too long. Use a file.");
    }
    // What runs is what was confirmed, whatever happens to the folder meanwhile.
    try (var copy = Workspace.temporary()) {
      var root = copy.workspace().root();
      write(skill, copy.workspace());
      var command = new ArrayList<>(List.of(program, root.resolve(path).toString()));
      command.addAll(arguments);
      var place =
          workspace
              .reading(root)
              .commands(AllowedCommand.named(program).anyArguments())
              .usedBy(context);
      return result(place.run(command));
    }
  }

  private static String names(Skill skill) {
    return skill.scripts().isEmpty() ? "none" : String.join(", ", skill.scripts());
  }

  private static void write(Skill skill, Workspace copy) {
    for (var path : skill.files()) {
      var file = copy.root().resolve(path);
      try {
        Files.createDirectories(file.getParent());
        Files.write(file, skill.bytes(path));
      } catch (IOException e) {
        throw new ToolError.Io("copy", path, e);
      }
    }
  }

  private static ToolResult result(CommandResult result) {
    var text = new StringBuilder();
    switch (result.ended()) {
      case CommandResult.Ended.Exited(var code) -> text.append("exit code ").append(code);
      case CommandResult.Ended.TimedOut(var after) ->
          text.append("killed after ").append(after.toMillis() / 1000.0).append(" s");
    }
    append("stdout", result.out(), text);
    append("stderr", result.err(), text);
    return result.ended() instanceof CommandResult.Ended.Exited
        ? ToolResult.of(text.toString())
        : ToolResult.error(text.toString());
  }

  private static void append(String name, CommandResult.Output output, StringBuilder into) {
    if (output.text().isEmpty()) return;
    into.append('\n').append(name).append(":\n").append(output.text().stripTrailing());
    if (output.isCut()) into.append("\n[cut off: it wrote more]");
  }
}
