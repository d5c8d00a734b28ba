package dev.superstep.cli.command;

import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// The manual page of a command with all its subcommands, in the language of `man`. One thread.
final class ManualPage {
  private final StringBuilder text = new StringBuilder();

  /// Describes one command and what is below it.
  String text(CommandSpec root) {
    macro("TH", root.name().toUpperCase(Locale.ROOT), "1", "", "Superstep", "Superstep");
    macro("SH", "NAME");
    line(root.name() + " \\- " + escaped(first(root.usageMessage().header())));
    macro("SH", "SYNOPSIS");
    var help = new Help(root, Help.defaultColorScheme(Help.Ansi.OFF));
    line(escaped(help.synopsis(0).strip()));
    paragraph(root.usageMessage().description());
    macro("SH", "OPTIONS OF ALL COMMANDS");
    root.options().forEach(this::option);
    macro("SH", "COMMANDS");
    commands(root);
    macro("SH", "EXIT STATUS");
    root.usageMessage().exitCodeList().forEach((code, meaning) -> item(code, meaning));
    macro("SH", "EXAMPLES");
    verbatim(root.usageMessage().footer());
    return text.toString();
  }

  private void commands(CommandSpec above) {
    for (var line : above.subcommands().values()) {
      var command = line.getCommandSpec();
      if (command.usageMessage().hidden()) continue;
      macro("SS", command.qualifiedName());
      lines(command.usageMessage().header());
      if (command.subcommands().isEmpty()) {
        synopsis(command);
        paragraph(command.usageMessage().description());
        command.positionalParameters().forEach(this::parameter);
        command.options().stream().filter(ManualPage::isOwn).forEach(this::option);
        verbatim(command.usageMessage().footer());
      } else {
        paragraph(command.usageMessage().description());
      }
      commands(command);
    }
  }

  private void synopsis(CommandSpec command) {
    var help = new Help(command, Help.defaultColorScheme(Help.Ansi.OFF));
    macro("PP");
    line(escaped(help.synopsis(0).strip().replaceAll("\\s+", " ")));
  }

  private void parameter(PositionalParamSpec parameter) {
    if (parameter.hidden()) return;
    item(parameter.paramLabel(), described(parameter.description(), parameter));
  }

  private void option(OptionSpec option) {
    var value = option.arity().max() == 0 ? "" : "=" + option.paramLabel();
    item(String.join(", ", option.names()) + value, described(option.description(), option));
  }

  /// Those of all commands are told once.
  private static boolean isOwn(OptionSpec option) {
    return !option.hidden() && !option.usageHelp() && !option.versionHelp() && !option.inherited();
  }

  /// The description with what picocli fills in.
  private static String described(String[] description, ArgSpec of) {
    var candidates = of.completionCandidates();
    return String.join(" ", description)
        .replace("${DEFAULT-VALUE}", String.valueOf(of.defaultValue()))
        .replace(
            "${COMPLETION-CANDIDATES}", candidates == null ? "" : String.join(", ", candidates))
        .replace("%%", "%");
  }

  private void item(String term, String meaning) {
    macro("TP");
    line("\\fB" + escaped(term) + "\\fR");
    line(escaped(meaning));
  }

  private void paragraph(String[] lines) {
    if (lines.length == 0) return;
    macro("PP");
    lines(lines);
  }

  private void lines(String[] lines) {
    for (var each : lines) {
      if (each.isBlank()) macro("PP");
      else line(escaped(each));
    }
  }

  private void verbatim(String[] lines) {
    if (lines.length == 0) return;
    macro("PP");
    macro("nf");
    for (var each : lines) line(each.isBlank() ? "\\&" : escaped(each));
    macro("fi");
  }

  private void macro(String name, String... arguments) {
    text.append('.').append(name);
    for (var argument : List.of(arguments)) {
      text.append(" \"").append(escaped(argument).replace("\"", "\\(dq")).append('"');
    }
    text.append('\n');
  }

  private void line(String line) {
    text.append(line).append('\n');
  }

  private static String first(String[] lines) {
    return lines.length == 0 ? "" : lines[0];
  }

  /// A point or an apostrophe at the start of a line would be a request, and a hyphen is not what
  /// people copy.
  private static String escaped(String text) {
    var safe = text.replace("\\", "\\e").replace("-", "\\-").replace("…", "...");
    return safe.startsWith(".") || safe.startsWith("'") ? "\\&" + safe : safe;
  }
}
