package dev.superstep.mcp.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Words a server for a person who decides on it.
final class EntryText {
  private static final Pattern PLAIN = Pattern.compile("[\\p{Alnum}@%+=:,./_-]+");
  private static final Pattern BREAK = Pattern.compile("\\R");
  private static final int SHORT = 12;

  private EntryText() {}

  static List<String> lines(McpEntry entry, Path folder) {
    var lines = new ArrayList<String>();
    boolean isProgram = !entry.words().isEmpty();
    if (isProgram) {
      lines.add("runs: " + String.join(" ", entry.words().stream().map(EntryText::word).toList()));
      lines.add("in: " + folder);
      new ProgramFiles(entry, folder)
          .digests()
          .forEach((file, digest) ->
              lines.add("file: %s (%s)".formatted(file, digest.substring(0, SHORT))));
    } else {
      lines.add("reaches: " + entry.address());
    }
    new TreeMap<>(entry.settings())
        .forEach((name, value) ->
            lines.add((isProgram ? "variable: " : "header: ") + name + "=" + word(value)));
    if (!entry.variables().isEmpty()) {
      lines.add("is told your variables: " + String.join(", ", entry.variables()));
    }
    grants(entry.grants(), isProgram, lines);
    return lines.stream().map(EntryText::oneLine).toList();
  }

  /// A value must not pass for lines of its own, such as one about a sandbox.
  private static String oneLine(String line) {
    return BREAK.matcher(line).replaceAll("\\\\n");
  }

  private static void grants(McpGrants grants, boolean isProgram, List<String> lines) {
    grants
        .confinement()
        .ifPresentOrElse(
            held -> {
              lines.add("sandbox: " + held.tier().name().toLowerCase(java.util.Locale.ROOT));
              if (!held.reads().isEmpty()) lines.add("may read: " + words(held.reads()));
              if (!held.writes().isEmpty()) lines.add("may write: " + words(held.writes()));
            },
            () -> {
              if (isProgram) lines.add("sandbox: none; your files and the network are open to it");
            });
    grants.only().ifPresent(only -> lines.add("only the tools: " + String.join(", ", words(only))));
    grants.policyWords().forEach((tool, words) -> lines.add("tool " + tool + ": " + words));
    if (grants.trustsHints()) lines.add("what it says of the effects of its tools is believed");
    grants.timeout().map(Duration::toSeconds).ifPresent(s -> lines.add("timeout: " + s + " s"));
    grants.protocol().revision().ifPresent(revision -> lines.add("protocol: " + revision));
    grants
        .protocol()
        .tasks()
        .map(Duration::toSeconds)
        .ifPresent(s -> lines.add("calls may be tasks for " + s + " s"));
    grants
        .oauth()
        .ifPresent(oauth ->
            lines.add(
                "asks you to agree on a page" + oauth.client().map(" as "::concat).orElse("")));
  }

  private static List<String> words(List<String> texts) {
    return texts.stream().map(EntryText::word).toList();
  }

  private static String word(String text) {
    if (PLAIN.matcher(text).matches()) return text;
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
