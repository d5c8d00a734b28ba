package dev.superstep.example.guide.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.AgentBuilder;
import dev.superstep.graph.GraphBuilder;
import dev.superstep.graph.NodePolicy;
import dev.superstep.graph.RunOptions;
import dev.superstep.state.Channel;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolPolicy;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The reference names everything that there is, and what it generates is what the code says.
class ReferenceTest {
  private static final ReferencePage OPTIONS = ReferencePage.of("options.md");

  /// Interfaces of events, and the part of the page that has them.
  private static final Map<String, String> EVENTS = new LinkedHashMap<>();

  static {
    EVENTS.put("Event", "runs");
    EVENTS.put("AgentEvent", "agents");
    EVENTS.put("SessionEvent", "sessions");
    EVENTS.put("ClientEvent", "clients");
    EVENTS.put("WorkspaceEvent", "workspaces");
    EVENTS.put("StoreEvent", "stores");
    EVENTS.put("RetrievalEvent", "retrieval");
    EVENTS.put("IngestionEvent", "ingestion");
    EVENTS.put("RegistryEvent", "registry");
    EVENTS.put("CatalogEvent", "catalogue");
  }

  @Test
  void every_event_has_its_row() {
    var sealed =
        Source.all().stream()
            .filter(s -> s.name().endsWith("Event"))
            .filter(s -> s.text().contains("sealed interface " + s.name() + " "))
            .toList();
    assertThat(sealed)
        .extracting(Source::name)
        .as("the facts of a terminal's history are its own; all others are events")
        .containsExactlyInAnyOrderElementsOf(plus(EVENTS.keySet(), "ConversationEvent"));
    for (var source : sealed) {
      var part = EVENTS.get(source.name());
      if (part == null) continue;
      var table = new EventTable(source);
      assertThat(table.size()).as(source.name()).isGreaterThan(2);
      ReferencePage.of("events.md").check(part, table.text());
    }
  }

  @Test
  void every_error_has_its_row() {
    var table = new ErrorTable();
    assertThat(table.names()).hasSizeGreaterThan(100).contains("ThreadBusy", "BudgetExceeded");
    ReferencePage.of("errors.md").check("errors", table.text());
  }

  @Test
  void every_kind_of_channel_has_its_row() {
    var factories = named(Channel.class, m -> isStatic(m) && m.getReturnType() == Channel.class);
    assertThat(factories).contains("latest", "append", "token");
    names(ReferencePage.of("channels.md").section("Kinds"), factories);
    var limits = named(Channel.class, m -> !isStatic(m) && m.getReturnType() == Channel.class);
    names(ReferencePage.of("channels.md").section("Limits of lists"), limits);
  }

  @Test
  void every_option_has_its_row() {
    for (var type :
        List.of(
            RunOptions.class,
            AgentBuilder.class,
            NodePolicy.class,
            GraphBuilder.class,
            Tool.class,
            ToolPolicy.class)) {
      var options = named(type, m -> !isStatic(m) && m.getReturnType() == type);
      assertThat(options).isNotEmpty();
      names(OPTIONS.section(type.getSimpleName()), options);
    }
  }

  @Test
  void every_variable_of_the_environment_has_its_row() throws IOException {
    var read = Pattern.compile("SUPERSTEP_[A-Z_]*[A-Z]");
    var found = new TreeSet<String>();
    var texts = Source.all().stream().map(Source::text).toList();
    for (var text : plus(texts, Files.readString(ReferencePage.root().resolve("superstep")))) {
      read.matcher(text).results().forEach(m -> found.add(m.group()));
    }
    // The beginnings of the names of several.
    found.removeAll(List.of("SUPERSTEP_REPLY", "SUPERSTEP_SERVER"));
    assertThat(found).contains("SUPERSTEP_MODEL", "SUPERSTEP_STORE");
    var page = ReferencePage.of("configuration.md").text();
    assertThat(found).allSatisfy(name -> assertThat(page).contains("`" + name + "`"));
  }

  @Test
  void every_key_of_a_configuration_file_has_its_row() {
    var keys = new TreeSet<String>();
    var entry = Pattern.compile("\"(\\w*)\", (?:Set\\.of\\(([^)]*)\\)|TomlFile\\.ANY)");
    for (var type : List.of("FolderConfig", "UserConfig")) {
      var found = entry.matcher(Source.named("superstep-cli", type).text());
      while (found.find()) {
        var names = found.group(2) == null ? "NAME" : found.group(2).replaceAll("[\"\\s]", "");
        var table = found.group(1).isEmpty() ? "" : found.group(1) + ".";
        for (var name : names.split(",", -1)) keys.add(table + name);
      }
    }
    assertThat(keys).contains("model", "program.class", "models.NAME", "limits.cost");
    var page = ReferencePage.of("configuration.md").text();
    assertThat(keys).allSatisfy(key -> assertThat(page).contains("`" + key + "`"));
  }

  private static void names(String section, Iterable<String> names) {
    assertThat(names).allSatisfy(name -> assertThat(section).containsPattern("`" + name + "\\b"));
  }

  private static Set<String> named(Class<?> type, Predicate<Method> which) {
    var names = new TreeSet<String>();
    Arrays.stream(type.getMethods())
        .filter(m -> m.getDeclaringClass() == type)
        .filter(which)
        .forEach(m -> names.add(m.getName()));
    return names;
  }

  private static boolean isStatic(Method method) {
    return Modifier.isStatic(method.getModifiers());
  }

  private static List<String> plus(Iterable<String> some, String more) {
    var all = new ArrayList<String>();
    some.forEach(all::add);
    all.add(more);
    return all;
  }
}
