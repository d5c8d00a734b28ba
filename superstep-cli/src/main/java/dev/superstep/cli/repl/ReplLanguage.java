package dev.superstep.cli.repl;

import dev.superstep.cli.screen.CellPrompt;
import dev.superstep.repl.TypedText;
import dev.superstep.repl.agent.TypedSession;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// The language of cells and commands for a prompt: what is whole, what has which colour, and what
/// can stand where. One thread at a time.
final class ReplLanguage implements CellPrompt.Language {
  private static final Pattern MEMBER = Pattern.compile("([A-Za-z_]\\w*)\\.(\\w*)$");
  private static final Pattern NAME = Pattern.compile("[A-Za-z_]\\w*$");
  private static final Pattern TOOL = granted("tool|\"tool\"\\s*:|tool\\s*=");
  private static final Pattern AGENT = granted("agent|agent_query");
  private static final Pattern GRAPH = granted("graph_run");
  private static final Pattern MODEL = Pattern.compile("\\bmodel\\s*=\\s*[\"'](\\w*)$");
  private static final Pattern SHOW = Pattern.compile("^:?show\\s+(\\w*)$");
  private static final String INDENT = "    ";

  private final TypedSession session;
  private final Map<String, List<String>> granted;

  /// @param granted the names that cells may call, by what they are
  ReplLanguage(TypedSession session, Map<String, List<String>> granted) {
    this.session = session;
    this.granted = granted;
  }

  private static Pattern granted(String function) {
    return Pattern.compile("\\b(?:" + function + ")\\s*\\(?\\s*[\"']([\\w/.@]*)$");
  }

  private boolean isVariable(String name) {
    return session.variables().stream().anyMatch(variable -> variable.name().equals(name));
  }

  @Override
  public boolean isUnfinished(String text) {
    return Line.of(text, this::isVariable) instanceof Line.Cell
        && TypedText.of(text).isUnfinished();
  }

  @Override
  public List<CellPrompt.Colored> colors(String text) {
    if (!text.isBlank() && !(Line.of(text, this::isVariable) instanceof Line.Cell)) {
      return List.of(new CellPrompt.Colored(0, text.length(), CellPrompt.Color.COMMAND));
    }
    var names = session.names();
    var all = new ArrayList<CellPrompt.Colored>();
    for (var part : TypedText.of(text).parts()) {
      var word = text.substring(part.start(), part.end());
      switch (part.sort()) {
        case KEYWORD -> add(all, part, CellPrompt.Color.KEYWORD);
        case NUMBER -> add(all, part, CellPrompt.Color.NUMBER);
        case STRING -> add(all, part, CellPrompt.Color.STRING);
        case COMMENT -> add(all, part, CellPrompt.Color.COMMENT);
        case NAME -> {
          if (names.contains(word) && !isVariable(word)) add(all, part, CellPrompt.Color.GIVEN);
        }
        case OPERATOR -> {}
      }
    }
    return all;
  }

  private static void add(
      List<CellPrompt.Colored> all, TypedText.Part part, CellPrompt.Color color) {
    all.add(new CellPrompt.Colored(part.start(), part.end(), color));
  }

  @Override
  public CellPrompt.Completion complete(String text, int cursor) {
    var before = text.substring(0, cursor);
    var line = before.substring(before.lastIndexOf('\n') + 1);
    if (line.isBlank()) return new CellPrompt.Completion(cursor, List.of(INDENT));
    var named = named(before, cursor);
    if (named != null) return named;
    var member = MEMBER.matcher(before);
    if (member.find()) return words(member.group(2), cursor, session.members(member.group(1)));
    var name = NAME.matcher(before);
    if (!name.find()) return new CellPrompt.Completion(cursor, List.of());
    var names = new TreeSet<>(session.names());
    names.addAll(TypedText.keywords());
    if (before.equals(name.group())) names.addAll(Line.WORDS);
    return words(name.group(), cursor, names);
  }

  /// Words where a certain kind is meant; `null` if it is not one of these places.
  private CellPrompt.@org.jspecify.annotations.Nullable Completion named(
      String before, int cursor) {
    var show = SHOW.matcher(before);
    if (show.find()) return words(show.group(1), cursor, Line.SHOWN);
    var places = Map.of(TOOL, "tools", AGENT, "agents", GRAPH, "graphs", MODEL, "models");
    for (var place : places.entrySet()) {
      var found = place.getKey().matcher(before);
      if (!found.find()) continue;
      return words(found.group(1), cursor, granted.getOrDefault(place.getValue(), List.of()));
    }
    return null;
  }

  private static CellPrompt.Completion words(String begun, int cursor, Collection<String> names) {
    var fitting = names.stream().filter(name -> name.startsWith(begun)).sorted().toList();
    return new CellPrompt.Completion(cursor - begun.length(), fitting);
  }
}
