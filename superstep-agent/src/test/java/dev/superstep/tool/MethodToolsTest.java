package dev.superstep.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.json.Json;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.schema.Description;
import dev.superstep.schema.JsonSchema;
import dev.superstep.schema.Limits;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
@Tag("T26")
public class MethodToolsTest {
  record Order(int number, BigDecimal price) {}

  enum Size {
    SMALL,
    LARGE
  }

  record Tree(String name, List<Tree> branches) {}

  record User(String name) {}

  /// A desk of a shop.
  public static class Desk {
    @ToolMethod("Finds an order.")
    public Order findOrder(@Description("As on the bill.") @Limits(min = 1) int number) {
      return new Order(number, new BigDecimal("1.10"));
    }

    @ToolMethod(value = "Orders something.", name = "buy")
    public String order(
        User buyer,
        List<Size> sizes,
        Optional<LocalDate> by,
        @Nullable String note,
        @Injected StringBuilder till) {
      till.append(buyer.name());
      return sizes + " " + by + " " + note;
    }

    @ToolMethod("Closes the desk.")
    public void close() {}

    @ToolMethod("Opens a window.")
    public String open(ToolContext context) throws IOException {
      throw new IOException(context.callId() + " is stuck");
    }

    /// Not for models.
    public String secret() {
      return "secret";
    }
  }

  // What the record of the same arguments would be.
  record FindOrder(@Description("As on the bill.") @Limits(min = 1) int number) {}

  record Buy(User buyer, List<Size> sizes, Optional<LocalDate> by, @Nullable String note) {}

  private final Tools tools = Tools.from(new Desk());

  @Test
  void annotated_methods_are_tools_in_an_order_that_holds() {
    assertThat(tools.names()).containsExactly("buy", "close", "find_order", "open");
    assertThat(tools.specs().getFirst().description()).isEqualTo("Orders something.");
  }

  @Test
  @Tag("T28")
  void the_schema_is_that_of_a_record_of_the_arguments_and_shows_nothing_of_the_program() {
    assertThat(schema("find_order")).isEqualTo(JsonSchema.of(FindOrder.class).json());
    assertThat(schema("buy")).isEqualTo(JsonSchema.of(Buy.class).json());
    assertThat(schema("close").text()).contains("\"properties\":{}");
  }

  @Test
  void arguments_context_and_injected_values_reach_the_method() throws InterruptedException {
    var till = new StringBuilder();
    var caller =
        ToolCaller.of(tools).withInjected(ToolDependencies.none().and(StringBuilder.class, till));
    var whole = "{\"buyer\":{\"name\":\"Ada\"},\"sizes\":[\"LARGE\"],\"by\":\"2026-02-01\"}";
    assertThat(answer(caller, "buy", whole).text()).isEqualTo("[LARGE] Optional[2026-02-01] null");
    var nulls = "{\"buyer\":{\"name\":\"Bo\"},\"sizes\":[],\"by\":null,\"note\":null}";
    assertThat(answer(caller, "buy", nulls).text()).isEqualTo("[] Optional.empty null");
    assertThat(till).hasToString("AdaBo");
  }

  @Test
  void a_result_is_text_or_json_and_nothing_means_done() throws InterruptedException {
    assertThat(answer("find_order", "{\"number\":7}"))
        .isEqualTo(new ToolMessage("", "c1", "find_order", "{\"number\":7,\"price\":1.10}", false));
    assertThat(answer("close", "").text()).isEqualTo("Done.");
    var sizes = Tool.from(new Shelf(), "sizes", "Lists sizes.", MethodHandles.lookup());
    assertThat(answer(ToolCaller.of(Tools.of(sizes)), "sizes", "{}").text())
        .isEqualTo("[\"SMALL\"]");
  }

  @Test
  void bad_arguments_never_reach_the_method_and_exceptions_are_reported()
      throws InterruptedException {
    assertThat(answer("find_order", "{\"number\":0}").text())
        .contains("`/number` must be at least 1; it is 0");
    assertThat(answer("find_order", "{\"number\":3000000000}").text())
        .contains("`/number`: Not a JSON Integer");
    var noDate = "{\"buyer\":{\"name\":\"Ada\"},\"sizes\":[],\"by\":\"2026-02-30\"}";
    assertThat(answer("buy", noDate).error()).isTrue();
    assertThat(answer("open", "{}"))
        .isEqualTo(
            new ToolMessage(
                "", "c1", "open", "The tool failed with IOException: c1 is stuck", true));
  }

  @Test
  void a_value_that_was_not_injected_fails_the_call() {
    assertThatThrownBy(() -> answer("buy", "{\"buyer\":{\"name\":\"Ada\"},\"sizes\":[]}"))
        .isInstanceOf(ToolError.Missing.class)
        .hasMessageContaining("Tool `buy` asks for a StringBuilder");
  }

  /// Neither it nor its methods are public.
  static class Shelf {
    Set<Size> sizes() {
      return Set.of(Size.SMALL);
    }

    String label(Tree tree) {
      return tree.name();
    }

    static long twice(@Named("number") long n) {
      return 2 * n;
    }

    int many(int a) {
      return a;
    }

    int many(String a) {
      return a.length();
    }
  }

  @Test
  void a_method_without_an_annotation_is_an_error_and_a_lookup_opens_private_methods()
      throws InterruptedException {
    var label = Tool.from(new Shelf(), "label", "Labels.", MethodHandles.lookup());
    assertThat(label.spec().parameters().text()).contains("\"$ref\":\"#/$defs/Tree\"");
    assertThat(
            answer(
                    ToolCaller.of(Tools.of(label)),
                    "label",
                    "{\"tree\":{\"name\":\"oak\",\"branches\":[]}}")
                .text())
        .isEqualTo("oak");
    var twice = Tool.from(Shelf.class, "twice", "Doubles.", MethodHandles.lookup());
    assertThat(answer(ToolCaller.of(Tools.of(twice)), "twice", "{\"number\":21}").text())
        .isEqualTo("42");
    assertThatThrownBy(() -> Tool.from(new Shelf(), "label", "Labels."))
        .isInstanceOf(UnusableToolMethods.class)
        .hasMessageContaining("`label(Tree)`: it cannot be called from here")
        .hasMessageContaining("MethodHandles.lookup()");
  }

  @Test
  void a_public_type_above_opens_the_method_of_a_class_that_is_hidden()
      throws InterruptedException {
    // The class of such a list is in no exported package.
    var size = Tool.from(List.of("a", "b"), "size", "Counts.");
    assertThat(answer(ToolCaller.of(Tools.of(size)), "size", "{}").text()).isEqualTo("2");
  }

  /// All that can be wrong.
  public static class Broken {
    @ToolMethod("Waits.")
    public Thread wait(Date when, String[] names) {
      return Thread.currentThread();
    }

    @ToolMethod("Hides.")
    private void hide() {}

    @ToolMethod(value = "Says.", name = "say")
    public void say(@Named("x") String a, @Named("x") String b) {}

    @ToolMethod("Says.")
    public void say(@Limits(maxItems = 1) int a) {}

    @ToolMethod(value = "Shouts.", name = "SHOUT")
    public void shout(@Injected int volume) {}

    @ToolMethod(" ")
    public void blank() {}
  }

  @Test
  void all_errors_are_reported_when_the_tools_are_created() {
    assertThatThrownBy(() -> Tools.from(new Broken()))
        .isInstanceOfSatisfying(
            UnusableToolMethods.class,
            e ->
                assertThat(e.problems())
                    .containsExactlyInAnyOrder(
                        "`wait(Date, String[])`: no model can write `when`: Date has the open type"
                            + " java.util.Date; take a closed type, or say @Injected if the program"
                            + " has it",
                        "`wait(Date, String[])`: no model can write `names`: String[] is an array;"
                            + " use a list; take a closed type, or say @Injected if the program has"
                            + " it",
                        "`wait(Date, String[])`: no model can read what it returns: Thread has the"
                            + " open type java.lang.Thread; return text, a ToolResult or a closed"
                            + " type",
                        "`hide()`: it cannot be called from here; make it and its class public in"
                            + " an exported package, or give MethodHandles.lookup()",
                        "`say(String, String)`: two parameters are named `x`",
                        "`say(int)`: @Limits on say(a) sets maxItems, which needs a type of kind"
                            + " array",
                        "`shout(int)`: a supplied int has no type of its own",
                        "`blank()`: description of `blank` must not be blank",
                        e.problems().stream()
                            .filter(text -> text.contains("are all named `say`"))
                            .findFirst()
                            .orElse("the methods that are named `say`")))
        .hasMessageStartingWith(
            "Methods of dev.superstep.tool.MethodToolsTest$Broken cannot be tools:\n- ");
    assertThatThrownBy(() -> Tools.from("text"))
        .isInstanceOf(UnusableToolMethods.class)
        .hasMessageContaining("it has none with @ToolMethod");
  }

  @Test
  void a_method_must_be_there_once() {
    var lookup = MethodHandles.lookup();
    assertThatThrownBy(() -> Tool.from(new Shelf(), "mani", "Counts.", lookup))
        .hasMessageContaining("`mani`: there is no such method, but `label`, `many`, `sizes`");
    assertThatThrownBy(() -> Tool.from(new Shelf(), "many", "Counts.", lookup))
        .hasMessageContaining("`many` is overloaded: many(String), many(int)");
    assertThatThrownBy(() -> Tool.from(Shelf.class, "sizes", "Lists.", lookup))
        .hasMessageContaining("`sizes()`: it is not static");
  }

  @Test
  void a_class_compiled_without_parameter_names_needs_explicit_ones() {
    // The JDK is compiled without -parameters.
    assertThatThrownBy(() -> Tool.from("text", "repeat", "Repeats."))
        .isInstanceOf(UnusableToolMethods.class)
        .hasMessageContaining("`repeat(int)`: parameter 1 has no name in the class file")
        .hasMessageContaining("-parameters")
        .hasMessageContaining("@Named");
  }

  /// What a shop can do.
  public interface Shop<T> {
    /// Takes something.
    @ToolMethod("Takes something.")
    String take(T what);

    /// Gives something.
    @ToolMethod("Gives something.")
    String give(String what);
  }

  static final class Bakery implements Shop<String> {
    @Override
    @ToolMethod("Takes bread.")
    public String take(String what) {
      return "took " + what;
    }

    @Override
    public String give(String what) {
      return "gave " + what;
    }
  }

  @Test
  void an_annotation_is_inherited_and_one_method_is_one_tool() throws InterruptedException {
    var bakery = Tools.from(new Bakery(), MethodHandles.lookup());
    assertThat(bakery.names()).containsExactly("give", "take");
    assertThat(bakery.find("take").orElseThrow().spec().description()).isEqualTo("Takes bread.");
    assertThat(answer(ToolCaller.of(bakery), "give", "{\"what\":\"bread\"}").text())
        .isEqualTo("gave bread");
    assertThat(answer(ToolCaller.of(bakery), "take", "{\"what\":\"bread\"}").text())
        .isEqualTo("took bread");
  }

  @Test
  void one_tool_of_several_can_be_changed() {
    var policy = ToolPolicy.of(SideEffect.PAYMENT);
    var changed = tools.with("buy", tool -> tool.withPolicy(policy));
    assertThat(changed.names()).isEqualTo(tools.names());
    assertThat(changed.find("buy").orElseThrow().policy()).isEqualTo(policy);
    assertThat(changed.find("open").orElseThrow().policy()).isEqualTo(ToolPolicy.UNCLASSIFIED);
    assertThatThrownBy(() -> tools.with("sell", tool -> tool))
        .hasMessageContaining("there is no tool `sell`");
  }

  private Json schema(String tool) {
    return tools.find(tool).orElseThrow().spec().parameters();
  }

  private ToolMessage answer(String tool, String arguments) throws InterruptedException {
    return answer(ToolCaller.of(tools), tool, arguments);
  }

  private static ToolMessage answer(ToolCaller caller, String tool, String arguments)
      throws InterruptedException {
    return ToolBatch.of(caller).run(List.of(new ToolCall("c1", tool, arguments))).getFirst();
  }
}
