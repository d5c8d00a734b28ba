package dev.superstep.skills;

import static dev.superstep.skills.SkillFiles.call;
import static dev.superstep.skills.SkillFiles.load;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Replay;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolMessage;
import dev.superstep.middleware.PrefixGuard;
import dev.superstep.middleware.RetryingTools;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Approval;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.tool.ToolBatch;
import dev.superstep.tool.Tools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Skills that an agent is told of, loads when it needs them, and keeps.
@Timeout(60)
final class SkillsTest {
  @TempDir Path folder;
  private final InMemoryCheckpointer store = new InMemoryCheckpointer();
  private final RunOptions options = RunOptions.thread("t").checkpoints(store);
  private final Confirmations kept = Confirmations.inMemory();
  private Path letters;
  private Skills skills;

  @BeforeEach
  void make() {
    letters = SkillFiles.write(folder, "letters", "Writes letters. Use it for mail.", "Be kind.\n");
    SkillFiles.write(letters.resolve("references/forms.md"), "one\ntwo\nthree\n");
    SkillFiles.write(folder, "accounts", "Adds up accounts.", "Add up.\n");
    skills = Skills.in(folder).confirmedBy(kept);
  }

  private Agent<String> agent(Skills of, ScriptedModel model) {
    return Agent.named("clerk")
        .model(model)
        .instructions("Help.")
        .middleware(of, PrefixGuard.failing().acrossRuns())
        .build();
  }

  /// An agent whose prompt may begin differently from run to run.
  private Agent<String> unguarded(ScriptedModel model) {
    return Agent.named("clerk")
        .model(model)
        .middleware(Skills.in(folder).confirmedBy(kept))
        .build();
  }

  private static ScriptedModel loading(String... later) {
    var replies = new ArrayList<ChatReply>();
    replies.add(ScriptedModel.calls(load("c1", "letters")));
    for (var text : later) replies.add(ScriptedModel.text(text));
    return ScriptedModel.replying(replies);
  }

  private static String lastResult(ScriptedModel model) {
    return model.requests().getLast().messages().stream()
        .filter(ToolMessage.class::isInstance)
        .map(Message::text)
        .reduce("", (_, last) -> last);
  }

  private static List<String> instructions(ScriptedModel model, int turn) {
    return model.requests().get(turn).messages().stream()
        .filter(SystemMessage.class::isInstance)
        .map(Message::text)
        .toList();
  }

  private UntrustedFiles asked(AgentResult<String> result) {
    assertThat(result).isInstanceOf(AgentResult.Waiting.class);
    var questions = ((AgentResult.Waiting<String>) result).questions();
    assertThat(questions).hasSize(1);
    return UntrustedFiles.QUESTION.read(questions.getFirst());
  }

  private static Answers yes() {
    return Answers.to(UntrustedFiles.QUESTION, Approval.yes());
  }

  private void confirmAll() {
    for (var skill : skills.list()) skills.confirm(skills.find(skill.name()).orElseThrow());
  }

  @Test
  void a_model_is_told_names_and_descriptions_in_the_order_of_names_and_no_more() throws Exception {
    var model = ScriptedModel.saying("hello");

    agent(skills, model).run("Hello.", options);

    assertThat(instructions(model, 0)).hasSize(2);
    assertThat(instructions(model, 0).getLast())
        .endsWith(
            """
            - accounts: "Adds up accounts."
            - letters: "Writes letters. Use it for mail."\
            """)
        .contains("quoted from the skills")
        .doesNotContain("Be kind.");
    assertThat(model.requests().getFirst().prefix()).isEqualTo(2);
  }

  @Test
  void a_person_confirms_a_skill_before_a_model_sees_its_instructions() throws Exception {
    var model = loading("done");
    var agent = agent(skills, model);

    var asked = asked(agent.run("Write a letter.", options));

    assertThat(asked.subject()).isEqualTo("skill " + letters.toRealPath());
    assertThat(asked.files())
        .containsExactly("SKILL.md (77 bytes)", "references/forms.md (14 bytes)");
    assertThat(asked.text()).contains("Be kind.");
    assertThat(asked.digest()).startsWith("sha256:");

    // Another process goes on, with nothing but the store.
    var other = Skills.in(folder);
    assertThat(agent(other, model).resume(yes(), options).answer()).isEqualTo("done");

    assertThat(lastResult(model))
        .isEqualTo(
            """
            [skill letters]
            Be kind.
            [files of the skill]
            references/forms.md (14 bytes)
            [end of the skill]\
            """);
    assertThat(other.isConfirmed(other.find("letters").orElseThrow())).isTrue();
  }

  @Test
  void a_skill_that_is_refused_is_not_loaded() throws Exception {
    var model = loading("well");
    var agent = agent(skills, model);
    var _ = asked(agent.run("Write a letter.", options));

    var no = Answers.to(UntrustedFiles.QUESTION, Approval.no("Who wrote it?"));
    assertThat(agent.resume(no, options).answer()).isEqualTo("well");

    assertThat(lastResult(model)).contains("did not confirm").contains("Who wrote it?");
    assertThat(lastResult(model)).doesNotContain("Be kind.");
    assertThat(skills.isConfirmed(skills.find("letters").orElseThrow())).isFalse();
  }

  @Test
  void a_yes_counts_for_what_was_shown_and_not_for_what_was_put_in_its_place() throws Exception {
    var model = loading("done");
    var agent = agent(skills, model);
    var first = asked(agent.run("Write a letter.", options));
    SkillFiles.write(letters.resolve("scripts/run.sh"), "rm -rf /");

    var second = asked(agent.resume(yes(), options));

    assertThat(second.digest()).isNotEqualTo(first.digest());
    assertThat(second.files()).contains("scripts/run.sh (8 bytes)");
    assertThat(model.calls()).isEqualTo(1);
  }

  @Test
  void each_change_of_a_confirmed_skill_asks_again() throws Exception {
    confirmAll();
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(load("c1", "letters")),
            ScriptedModel.text("done"),
            ScriptedModel.calls(load("c2", "letters")),
            ScriptedModel.text("again"));
    var agent = agent(skills, model);
    assertThat(agent.run("Write a letter.", options).answer()).isEqualTo("done");

    SkillFiles.write(letters.resolve("references/forms.md"), "one\ntwo\nfour!\n");

    var _ = asked(agent.run("Write another one.", options));
    SkillFiles.write(letters.resolve("references/forms.md"), "one\ntwo\nthree\n");
    // It is as it was, so the answer to the other question is not even needed.
    assertThat(agent.resume(yes(), options).answer()).isEqualTo("again");
  }

  @Test
  void what_was_loaded_stays_in_the_conversation_when_the_folder_is_gone() throws Exception {
    confirmAll();
    var model = loading("done", "and more");
    assertThat(unguarded(model).run("Write a letter.", options).answer()).isEqualTo("done");
    delete(letters);

    assertThat(unguarded(model).run("More.", options).answer()).isEqualTo("and more");

    assertThat(lastResult(model)).contains("Be kind.");
    assertThat(instructions(model, 2).getLast()).doesNotContain("letters");
  }

  @Test
  void a_replay_reads_no_disk() throws Exception {
    confirmAll();
    var model = loading("done");
    var agent = agent(skills, model);
    agent.run("Write a letter.", options.recorded());
    delete(folder.resolve("letters"));
    delete(folder.resolve("accounts"));

    var replayed = Replay.of(agent.graph(), store).thread("t").run();

    assertThat(replayed.divergence()).isEmpty();
  }

  @Test
  void the_list_stays_as_it_was_when_the_run_began_in_whatever_process_it_goes_on()
      throws Exception {
    var model = loading("done");
    var _ = asked(agent(skills, model).run("Write a letter.", options));
    SkillFiles.write(folder, "aardvarks", "Feeds aardvarks.", "Ants.");

    // The guard would fail the run if the beginning of the prompt were another one.
    assertThat(agent(Skills.in(folder), model).resume(yes(), options).answer()).isEqualTo("done");

    assertThat(instructions(model, 1)).isEqualTo(instructions(model, 0));
    assertThat(instructions(model, 1).getLast()).doesNotContain("aardvarks");
  }

  @Test
  void equal_folders_give_equal_bytes_wherever_they_are(@TempDir Path elsewhere) throws Exception {
    // Made in another order.
    SkillFiles.write(elsewhere, "accounts", "Adds up accounts.", "Add up.\n");
    var copy =
        SkillFiles.write(elsewhere, "letters", "Writes letters. Use it for mail.", "Be kind.\n");
    SkillFiles.write(copy.resolve("references/forms.md"), "one\ntwo\nthree\n");
    var there = Skills.in(elsewhere);

    assertThat(there.instructions()).isEqualTo(skills.instructions());
    assertThat(there.find("letters").orElseThrow().digest())
        .isEqualTo(skills.find("letters").orElseThrow().digest());
    assertThat(there.tools().stream().map(tool -> tool.spec()).toList())
        .isEqualTo(skills.tools().stream().map(tool -> tool.spec()).toList());
  }

  @Test
  void files_of_a_skill_are_read_by_ranges() throws Exception {
    confirmAll();
    assertThat(read("references/forms.md", 2, 1)).isEqualTo("two\n[lines 2 to 2 of 3]");
    assertThat(read("references/forms.md", 1, 9)).isEqualTo("one\ntwo\nthree");
    assertThat(read("references/forms.md", 4, 1)).contains("has 3 lines");
    assertThat(read("references/none.md", 1, 1))
        .contains("no file `references/none.md`. It has: SKILL.md, references/forms.md.");
  }

  private String read(String path, int first, int lines) throws Exception {
    var arguments =
        "{\"skill\":\"letters\",\"path\":\"%s\",\"firstLine\":%d,\"lines\":%d}"
            .formatted(path, first, lines);
    return ToolBatch.of(Tools.of(skills.tools()))
        .run(List.of(call("c", "read_skill_file", arguments)))
        .getFirst()
        .text();
  }

  @Test
  void skills_are_found_by_words() throws Exception {
    var found =
        ToolBatch.of(Tools.of(skills.tools()))
            .run(List.of(call("c", "find_skills", "{\"words\":\"send some MAIL\"}")))
            .getFirst()
            .text();
    assertThat(found).isEqualTo("- letters: \"Writes letters. Use it for mail.\"");
  }

  @Test
  void without_anybody_to_ask_nothing_that_is_not_confirmed_is_used() throws Exception {
    var model = loading("well");

    // A run that is not saved cannot wait for an answer.
    assertThat(agent(skills, model).run("Write a letter.").answer()).isEqualTo("well");

    assertThat(lastResult(model)).contains("No person has confirmed it");
  }

  @Test
  void an_agent_that_nobody_watches_is_offered_confirmed_skills_alone() throws Exception {
    var alone = skills.onlyConfirmed();
    assertThat(alone.instructions()).isEmpty();

    skills.confirm(skills.find("letters").orElseThrow());
    assertThat(alone.instructions()).contains("letters").doesNotContain("accounts");

    SkillFiles.write(letters.resolve("new.md"), "x");
    assertThat(alone.instructions()).isEmpty();
    var model = loading("well");
    assertThat(agent(alone, model).run("Write a letter.", options).answer()).isEqualTo("well");
    assertThat(lastResult(model)).contains("No person has confirmed it");
  }

  @Test
  void a_call_that_failed_may_be_made_again_by_middleware() throws Exception {
    var model =
        ScriptedModel.replying(ScriptedModel.calls(load("c1", "none")), ScriptedModel.text("done"));
    var agent =
        Agent.named("clerk")
            .model(model)
            .middleware(
                skills,
                RetryingTools.times(3).backoff(Duration.ofMillis(1), 1, Duration.ofMillis(1)))
            .build();

    assertThat(agent.run("Go.", options).answer()).isEqualTo("done");

    assertThat(lastResult(model)).contains("There is no skill `none`");
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void a_skill_is_loaded_and_asked_about_whenever_a_run_is_saved(Durability when) throws Exception {
    var model = loading("done");
    var saved = options.durability(when);
    var _ = asked(agent(skills, model).run("Write a letter.", saved));

    assertThat(agent(skills, model).resume(yes(), saved).answer()).isEqualTo("done");

    assertThat(lastResult(model)).contains("Be kind.");
  }

  @Test
  void a_rewind_takes_back_what_was_loaded() throws Exception {
    confirmAll();
    var model = loading("done", "clean");
    var agent = agent(skills, model);
    agent.run("Write a letter.", options);
    var threads = Threads.in(store);
    var first = threads.history("t", Optional.empty(), 50).getLast().id();

    threads.rewind("t", first);
    agent.run("Hello.", options.discardPending());

    assertThat(lastResult(model)).isEmpty();
  }

  @Test
  void an_agent_inside_of_a_graph_asks_by_that_graph() throws Exception {
    var model = loading("done");
    var agent = agent(skills, model);
    var messages = agent.messages();
    var graph =
        Graph.named("outer")
            .channels(messages)
            .node("clerk", agent.on(messages))
            .edge(Graph.START, "clerk")
            .edge("clerk", Graph.END)
            .compile();
    var input = Input.of(messages, Message.user("Go."));

    var waiting = graph.invoke(input, options);
    assertThat(waiting).isInstanceOf(Outcome.Interrupted.class);
    var done = graph.resume(yes(), options);

    assertThat(done).isInstanceOf(Outcome.Completed.class);
    assertThat(lastResult(model)).contains("Be kind.");
  }

  @Test
  void the_project_folders_of_the_convention_are_read_and_links_out_are_not(@TempDir Path project)
      throws Exception {
    var inside = SkillFiles.write(project.resolve(".agents/skills"), "inner", "Inside.", "x");
    assertThat(inside).exists();
    Files.createDirectories(project.resolve(".claude"));
    Files.createSymbolicLink(project.resolve(".claude/skills"), folder);

    assertThat(Skills.ofProject(project).list())
        .extracting(SkillDescription::name)
        .containsExactly("inner");
  }

  @Test
  void of_two_skills_with_one_name_the_first_folder_counts(@TempDir Path second) {
    SkillFiles.write(second, "letters", "An imitation.", "Be mean.");
    var both = skills.and(second);

    assertThat(both.find("letters").orElseThrow().instructions()).isEqualTo("Be kind.");
    assertThat(both.list()).hasSize(2);
    assertThat(both.problems())
        .singleElement()
        .satisfies(e -> assertThat(e).hasMessageContaining("Another folder before"));
  }

  @Test
  void settings_that_cannot_be_are_refused() {
    assertThatThrownBy(() -> skills.listingAtMost(10)).hasMessageContaining("at least 200");
    assertThatThrownBy(skills::withoutApproval).hasMessageContaining("scriptsIn");
  }

  private static void delete(Path skill) throws Exception {
    try (var all = Files.walk(skill)) {
      for (var one : all.sorted(Comparator.reverseOrder()).toList()) Files.delete(one);
    }
  }
}
