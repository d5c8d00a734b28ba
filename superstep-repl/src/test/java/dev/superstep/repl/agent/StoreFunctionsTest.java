package dev.superstep.repl.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.model.ScriptedModel;
import dev.superstep.registry.Component;
import dev.superstep.registry.Kind;
import dev.superstep.registry.Registry;
import dev.superstep.repl.grant.Grants;
import dev.superstep.run.Answers;
import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Namespace;
import dev.superstep.tool.Tool;
import org.junit.jupiter.api.Test;

/// Long-term memory that cells may read and write.
class StoreFunctionsTest {
  private static final Namespace NOTES = Namespace.of("notes");

  record Nothing(boolean now) {}

  private final InMemoryStore store = InMemoryStore.open();

  private static Agent<String> agent(Grants grants, String cell) {
    var driver = ScriptedModel.saying("```ragsh\n" + cell + "\n```");
    return ReplAgent.named("reader").model(driver).grants(grants).build();
  }

  @Test
  void a_namespace_is_read_written_and_searched_and_nothing_beside_it() throws Exception {
    store.put(Namespace.of("secrets"), "key", "hidden");
    store.put(NOTES, "old", Json.parse("[1,2]"));
    var registry = Registry.named("desk").register(Component.of(Kind.STORE, "notes", store));
    var cell =
        """
        seen = [store_get("notes", "old"), store_get("notes", "none")]
        store_put("notes", "new", {"total": 3, "of": ["a", None, 2.5]})
        seen.append(store_get("notes", "new"))
        seen.append([hit["key"] for hit in store_search("notes")])
        seen.append(store_delete("notes", "old"))
        seen.append([hit["key"] for hit in store_search("notes", limit=5)])
        for wrong in [lambda: store_get("secret" + "s", "key"), lambda: store_put("notes", "", 1),
                      lambda: store_search("notes", "tea")]:
            try:
                wrong()
            except HostError as e:
                seen.append(e.code)
        answer(seen)
        """;
    assertThat(agent(Grants.of(registry).stores("notes"), cell).run("?").answer())
        .isEqualTo(
            "[[1,2],null,{\"total\":3,\"of\":[\"a\",null,2.5]},[\"new\",\"old\"],true,[\"new\"],"
                + "\"unknown-store\",\"invalid-arguments\",\"store-error\"]");
    assertThat(store.get(NOTES, "new")).isPresent();
    assertThat(store.get(Namespace.of("secrets"), "key")).isPresent();
  }

  @Test
  void a_session_without_a_store_has_no_function_for_one() throws Exception {
    var cell = "try:\n    store_get\nexcept NameError:\n    answer('none')";
    assertThatThrownBy(() -> agent(Grants.none(), cell).run("?")).hasMessageContaining("store_get");
    var access = ReplAgent.named("a").model(ScriptedModel.saying("x")).access();
    assertThat(SessionPrompt.of(access, ReplTemplate.GENERAL, "")).doesNotContain("store_");
    var granted =
        ReplAgent.named("a")
            .model(ScriptedModel.saying("x"))
            .grants(Grants.none().store("notes", store, NOTES))
            .access();
    assertThat(SessionPrompt.of(granted, ReplTemplate.GENERAL, ""))
        .contains("store_get(store, key)", "notes");
  }

  @Test
  void a_write_that_was_made_is_not_made_again_when_the_cell_runs_again() throws Exception {
    var dead = new boolean[] {true};
    var fragile =
        Tool.of(
            "fragile",
            "Breaks the process at first.",
            Nothing.class,
            (_, _) -> {
              if (dead[0]) throw new OutOfMemoryError("the process dies");
              return "done";
            });
    var cell =
        "store_put('notes', 'n', 1)\ntool('fragile', now=True)\nanswer(store_get('notes', 'n'))";
    var agent = agent(Grants.none().tools(fragile).store("notes", store, NOTES), cell);
    var options = RunOptions.defaults().on("t", new InMemoryCheckpointer());
    assertThatThrownBy(() -> agent.run("?", options)).isInstanceOf(Throwable.class);
    store.put(NOTES, "n", 2);
    dead[0] = false;
    assertThat(agent.resume(Answers.none(), options).answer()).isEqualTo("2");
    assertThat(store.get(NOTES, "n", Integer.class)).contains(2);
  }
}
