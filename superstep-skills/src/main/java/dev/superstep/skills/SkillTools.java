package dev.superstep.skills;

import dev.superstep.error.InvalidUse;
import dev.superstep.node.NodeContext;
import dev.superstep.schema.Description;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolContext;
import dev.superstep.tool.ToolOutsideGraph;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.ToolResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The tools of skills. Immutable.
///
/// @param scripts null if no scripts run
record SkillTools(SkillFolders folders, Trust trust, @Nullable SkillScripts scripts) {
  private static final int ATTEMPTS_MAX = 1_000;
  private static final int FOUND_MAX = 20;
  private static final int LINES_MAX = 1_000;
  private static final int CHARACTERS_MAX = 28_000;
  private static final int FILES_SHOWN_MAX = 100;

  record LoadSkill(@Description("As listed") String skill) {}

  record ReadSkillFile(
      @Description("The name of a skill") String skill,
      @Description("Such as references/forms.md") String path,
      @Description("The first line to show, from 1; 1 unless given") Optional<Integer> firstLine,
      @Description("How many lines to show; 1000 unless given") Optional<Integer> lines) {}

  record FindSkills(@Description("Some words for what is to be done") String words) {}

  record RunSkillScript(
      @Description("The name of a skill") String skill,
      @Description("Such as scripts/fill.py") String script,
      @Description("Each argument as a word of its own") List<String> arguments) {
    RunSkillScript {
      arguments = List.copyOf(arguments);
    }
  }

  List<Tool> all() {
    var tools = new ArrayList<Tool>();
    tools.add(
        Tool.of(
                "load_skill",
                "Shows the instructions of a skill, and which files it has.",
                LoadSkill.class,
                (asked, context) -> using(asked.skill(), context, SkillTools::loaded))
            .withQuestions(UntrustedFiles.QUESTION)
            .withPolicy(ToolPolicy.readOnly()));
    tools.add(
        Tool.of(
                "read_skill_file",
                "Shows a text file of a skill, or some of its lines.",
                ReadSkillFile.class,
                (asked, context) -> using(asked.skill(), context, skill -> read(asked, skill)))
            .withQuestions(UntrustedFiles.QUESTION)
            .withPolicy(ToolPolicy.readOnly()));
    tools.add(
        Tool.of(
                "find_skills",
                "Finds skills by words of their names and descriptions.",
                FindSkills.class,
                (asked, context) -> once(context, () -> find(asked.words())))
            .withPolicy(ToolPolicy.readOnly()));
    if (scripts != null) tools.add(runScript(scripts));
    return tools;
  }

  private Tool runScript(SkillScripts runner) {
    return Tool.of(
            "run_skill_script",
            "Runs a script of a skill in the workspace, with these arguments.",
            RunSkillScript.class,
            (asked, context) ->
                using(
                    asked.skill(),
                    context,
                    skill -> runner.run(skill, asked.script(), asked.arguments(), context)))
        .withQuestions(UntrustedFiles.QUESTION)
        .withPolicy(runner.policy())
        .withTimeout(runner.timeout());
  }

  /// A result as a step of the call, so that a replay reads no disk.
  record Told(String text, boolean isError) {
    ToolResult result() {
      return isError ? ToolResult.error(text) : ToolResult.of(text);
    }
  }

  @FunctionalInterface
  interface Work {
    ToolResult run() throws Exception;
  }

  @FunctionalInterface
  private interface Use {
    ToolResult of(Skill skill) throws Exception;
  }

  static ToolResult once(ToolContext context, Work work) throws Exception {
    var node = node(context);
    if (node.isEmpty()) return work.run();
    var begun = new AtomicBoolean();
    for (int attempt = 1; ; attempt++) {
      try {
        return told(node.get(), context.callId() + "-" + attempt, begun, work);
      } catch (InvalidUse e) {
        // Middleware may make a call several times, and each time is a step of its own.
        if (begun.get() || attempt == ATTEMPTS_MAX) throw e;
      }
    }
  }

  private static ToolResult told(NodeContext node, String key, AtomicBoolean begun, Work work)
      throws Exception {
    var told =
        node.step(
            "skill-" + key,
            Told.class,
            () -> {
              begun.set(true);
              var result = work.run();
              return new Told(result.text(), result.error());
            });
    return told.result();
  }

  static Optional<NodeContext> node(ToolContext context) {
    try {
      return Optional.of(context.node());
    } catch (ToolOutsideGraph _) {
      return Optional.empty();
    }
  }

  /// The node that can ask a person, if the run can wait for one.
  static Optional<NodeContext> asking(ToolContext context) {
    return node(context).filter(NodeContext::isPersistent);
  }

  /// Uses a skill as it is now, if a person has confirmed it as it is now.
  private ToolResult using(String name, ToolContext context, Use use) throws Exception {
    return once(
        context,
        () -> {
          try {
            var skill = folders.find(name);
            if (skill.isEmpty()) {
              return ToolResult.error(
                  "There is no skill `%s`. Look for one with `find_skills`."
                      .formatted(PlainText.oneLine(name, 80)));
            }
            var refusal = trust.refusal(Skills.untrusted(skill.get()), asking(context));
            return refusal.isPresent()
                ? ToolResult.error("Skill `%s`: %s".formatted(name, refusal.get()))
                : use.of(skill.get());
          } catch (InvalidSkill e) {
            return ToolResult.error(String.valueOf(e.getMessage()));
          }
        });
  }

  private static ToolResult loaded(Skill skill) {
    var text = new StringBuilder("[skill %s]\n".formatted(skill.name()));
    var body = skill.instructions();
    if (body.length() <= CHARACTERS_MAX) {
      text.append(body);
    } else {
      text.append(body, 0, PlainText.whole(body, CHARACTERS_MAX));
      text.append("\n[cut off: read SKILL.md with `read_skill_file` for the rest]");
    }
    var others = skill.files().stream().filter(path -> !path.equals(Skill.FILE)).toList();
    if (!others.isEmpty()) text.append("\n[files of the skill]");
    others.stream()
        .limit(FILES_SHOWN_MAX)
        .forEach(path -> text.append('\n').append(Skills.withSize(skill, path)));
    if (others.size() > FILES_SHOWN_MAX) {
      text.append("\n[%d more]".formatted(others.size() - FILES_SHOWN_MAX));
    }
    return ToolResult.of(text.append("\n[end of the skill]").toString());
  }

  private static ToolResult read(ReadSkillFile asked, Skill skill) {
    // A path is looked up among those that were read, and never in the file system.
    if (!skill.files().contains(asked.path())) {
      return ToolResult.error(
          "Skill `%s` has no file `%s`. It has: %s."
              .formatted(
                  skill.name(),
                  PlainText.oneLine(asked.path(), 100),
                  skill.files().stream().limit(FILES_SHOWN_MAX).collect(Collectors.joining(", "))));
    }
    var text = skill.text(asked.path());
    if (text.isEmpty()) return ToolResult.error("`%s` is no text.".formatted(asked.path()));
    var lines = text.get().lines().toList();
    int first = asked.firstLine().orElse(1);
    int most = Math.min(asked.lines().orElse(LINES_MAX), LINES_MAX);
    if (first < 1 || most < 1) {
      return ToolResult.error("Lines are counted from 1. Ask for at least one.");
    }
    if (first > Math.max(1, lines.size())) {
      return ToolResult.error("`%s` has %d lines.".formatted(asked.path(), lines.size()));
    }
    return ToolResult.of(shown(lines, first, most));
  }

  private static String shown(List<String> lines, int first, int most) {
    var text = new StringBuilder();
    int line = first;
    while (line <= lines.size() && line - first < most) {
      var next = lines.get(line - 1);
      if (line > first && text.length() + next.length() > CHARACTERS_MAX) break;
      text.append(next, 0, PlainText.whole(next, Math.min(next.length(), CHARACTERS_MAX)));
      text.append('\n');
      line++;
    }
    if (line <= lines.size() || first > 1) {
      text.append("[lines %d to %d of %d]".formatted(first, line - 1, lines.size()));
    }
    return text.toString().stripTrailing();
  }

  private ToolResult find(String words) {
    var wanted =
        Arrays.stream(words.toLowerCase(Locale.ROOT).split("[^\\p{Alnum}]+"))
            .filter(word -> word.length() > 1)
            .distinct()
            .limit(FOUND_MAX)
            .toList();
    record Hit(SkillDescription skill, long words) {}
    var hits =
        Skills.offered(folders, trust).stream()
            .map(skill -> new Hit(skill, count(skill, wanted)))
            .filter(hit -> hit.words() > 0)
            .sorted((a, b) -> Long.compare(b.words(), a.words())) // stable: names stay in order
            .limit(FOUND_MAX)
            .map(hit -> SkillListing.line(hit.skill(), 300))
            .toList();
    return ToolResult.of(hits.isEmpty() ? "[no skill fits]" : String.join("\n", hits));
  }

  private static long count(SkillDescription skill, List<String> wanted) {
    var text = (skill.name() + " " + skill.description()).toLowerCase(Locale.ROOT);
    return wanted.stream().filter(text::contains).count();
  }
}
