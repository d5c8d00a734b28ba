package dev.superstep.language.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.language.json.JsonTree;
import dev.superstep.language.rag.Capability;
import dev.superstep.language.rag.Item;
import dev.superstep.language.rag.NodeKind;
import dev.superstep.language.rag.Reference;
import dev.superstep.testkit.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The grammar that editors colour sources by is written from the tables of the language, and the
/// extension for VS Code names files that are there.
class EditorFilesTest {
  private static final Path FOLDER = Path.of("../editors/vscode");
  private static final String GRAMMAR = "syntaxes/rag.tmLanguage.json";

  @Test
  void the_grammar_of_editors_has_the_words_of_the_tables() {
    Golden.in(FOLDER).check(GRAMMAR, grammar().pretty() + "\n");
  }

  @Test
  void every_keyword_is_matched_by_the_pattern_of_keywords() {
    var declared = Pattern.compile(word(Reference.declared().keySet()));
    for (var word : Reference.declared().keySet()) assertThat(word).matches(declared);
    var items = Pattern.compile(word(items()));
    for (var item : Item.values()) assertThat(item.word()).matches(items);
  }

  @Test
  void the_extension_starts_the_server_and_names_files_that_are_there() throws IOException {
    var text = Files.readString(FOLDER.resolve("package.json"));
    assertThat(JsonTree.parse(text)).isInstanceOf(JsonTree.Fields.class);
    assertThat(JsonTree.parse(Files.readString(FOLDER.resolve("language-configuration.json"))))
        .isInstanceOf(JsonTree.Fields.class);
    assertThat(text).contains("\"./" + GRAMMAR + "\"", "\"source.rag\"", "\".rag\"");
    var paths =
        Pattern.compile("\"\\./([\\w./-]+)\"")
            .matcher(text)
            .results()
            .map(m -> m.group(1))
            .toList();
    assertThat(paths).hasSizeGreaterThanOrEqualTo(3);
    for (var path : paths) assertThat(FOLDER.resolve(path)).exists();
    assertThat(Files.readString(FOLDER.resolve("extension.js"))).contains("['rag', 'lsp']");
  }

  private static Collection<String> items() {
    var words = new TreeSet<String>();
    for (var item : Item.values()) words.add(item.word());
    return words;
  }

  /// A pattern of whole words, the longest first.
  private static String word(Collection<String> words) {
    var sorted = words.stream().sorted(Comparator.comparing(String::length).reversed()).toList();
    return "\\b(" + String.join("|", sorted) + ")\\b";
  }

  private static JsonTree grammar() {
    var fields = new LinkedHashMap<String, JsonTree>();
    fields.put("name", JsonTree.of("rag"));
    fields.put("scopeName", JsonTree.of("source.rag"));
    fields.put("fileTypes", JsonTree.list(List.of(JsonTree.of("rag"))));
    var kinds = Arrays.stream(NodeKind.values()).map(NodeKind::word).toList();
    var name = "([A-Za-z_]\\w*|\"[^\"]*\")";
    fields.put(
        "patterns",
        JsonTree.list(
            List.of(
                match("comment.line.double-slash.rag", "//.*$"),
                string("string.quoted.triple.rag", "\"\"\"", "\"\"\""),
                captures(
                    "\\b(graph|node)\\s+" + name + "(?=\\s*\\{)",
                    "keyword.control.rag",
                    "entity.name.function.rag"),
                captures(
                    "\\b(channel)\\s+"
                        + name
                        + "\\s+"
                        + word(Reference.standardReducers().keySet()),
                    "keyword.control.rag",
                    "variable.other.rag",
                    "support.function.rag"),
                captures("\\b(kind)\\s+" + word(kinds), "keyword.other.rag", "support.type.rag"),
                captures(
                    "\\b(allow)\\s+" + word(Capability.words()),
                    "keyword.control.rag",
                    "support.type.rag"),
                string("string.quoted.double.rag", "\"", "\"|$"),
                match("constant.numeric.rag", "-?\\b\\d+(\\.\\d+)?(ms|s|m|h)?\\b"),
                match("constant.language.rag", "\\b(START|END|true|false|null)\\b"),
                match("keyword.operator.rag", "->"),
                match("keyword.control.rag", word(Reference.declared().keySet())),
                match("keyword.other.rag", word(items())))));
    return JsonTree.object(fields);
  }

  private static JsonTree match(String name, String pattern) {
    var fields = new LinkedHashMap<String, JsonTree>();
    fields.put("name", JsonTree.of(name));
    fields.put("match", JsonTree.of(pattern));
    return JsonTree.object(fields);
  }

  private static JsonTree captures(String pattern, String... names) {
    var captures = new LinkedHashMap<String, JsonTree>();
    for (int i = 0; i < names.length; i++) {
      var name = new LinkedHashMap<String, JsonTree>();
      name.put("name", JsonTree.of(names[i]));
      captures.put(String.valueOf(i + 1), JsonTree.object(name));
    }
    var fields = new LinkedHashMap<String, JsonTree>();
    fields.put("match", JsonTree.of(pattern));
    fields.put("captures", JsonTree.object(captures));
    return JsonTree.object(fields);
  }

  private static JsonTree string(String name, String begin, String end) {
    var fields = new LinkedHashMap<String, JsonTree>();
    fields.put("name", JsonTree.of(name));
    fields.put("begin", JsonTree.of(begin));
    fields.put("end", JsonTree.of(end));
    fields.put(
        "patterns",
        JsonTree.list(
            List.of(
                match("constant.character.escape.rag", "\\\\[ntr\\\\\"]"),
                match("variable.parameter.rag", "\\{[A-Za-z_]\\w*\\}"))));
    return JsonTree.object(fields);
  }
}
