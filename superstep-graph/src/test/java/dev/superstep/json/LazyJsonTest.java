package dev.superstep.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Values whose text is made when somebody asks for it.
final class LazyJsonTest {
  private static final AtomicInteger WRITTEN = new AtomicInteger();

  /// Counts how often it is written.
  record Counted(String word) {
    @Override
    public String word() {
      WRITTEN.incrementAndGet();
      return word;
    }
  }

  sealed interface Shape {
    record Circle(double radius) implements Shape {}

    record Group(List<Shape> shapes) implements Shape {}
  }

  record Page(
      String title,
      List<String> lines,
      Map<String, List<Integer>> notes,
      Optional<Set<String>> tags,
      Json more,
      Shape shape) {}

  record Upper(String word) {
    Upper {
      word = word.toUpperCase(java.util.Locale.ROOT);
    }
  }

  /// Is not equal to what is read back.
  record Loose(List<Upper> words, Optional<String> only) {
    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  private static Page page() {
    return new Page(
        "t",
        List.of("a"),
        Map.of("n", List.of(1, 2, 3)),
        Optional.of(Set.of("x")),
        Json.parse("{\"a\":[1]}"),
        new Shape.Group(List.of(new Shape.Circle(1), new Shape.Group(List.of()))));
  }

  @Test
  void a_value_is_written_when_its_text_is_asked_for_and_only_once() {
    WRITTEN.set(0);
    var json = Codec.of(Counted.class).encodeLazily(new Counted("hello"));
    assertThat(WRITTEN).hasValue(0);
    assertThat(json.text()).isEqualTo("{\"word\":\"hello\"}");
    assertThat(json.text()).isEqualTo("{\"word\":\"hello\"}");
    assertThat(Json.of(Several.of(json)).text()).isEqualTo("{\"all\":[{\"word\":\"hello\"}]}");
    assertThat(WRITTEN).hasValue(1);
  }

  record Several(List<Json> all) {
    static Several of(Json one) {
      return new Several(List.of(one));
    }
  }

  @Test
  void its_own_type_gets_the_value_back_and_any_other_reads_its_text() {
    var page = page();
    var json = Codec.of(Page.class).encodeLazily(page);
    assertThat(Codec.of(Page.class).decode(json)).isSameAs(page);
    var list = List.of("a", "b");
    var listed = Codec.listOf(String.class).encodeLazily(list);
    assertThat(Codec.listOf(String.class).decode(listed)).isSameAs(list);
    assertThat(Codec.setOf(String.class).decode(listed)).containsExactly("a", "b");
    var word = Codec.of(Counted.class).encodeLazily(new Counted("hello"));
    assertThat(Codec.of(Upper.class).decode(word)).isEqualTo(new Upper("HELLO"));
    assertThatExceptionOfType(MalformedJson.class).isThrownBy(() -> json.as(Counted.class));
  }

  @Test
  void once_written_it_is_read_from_its_text() {
    var page = page();
    var json = Codec.of(Page.class).encodeLazily(page);
    var text = json.text();
    assertThat(Codec.of(Page.class).decode(json)).isEqualTo(page).isNotSameAs(page);
    assertThat(json).isEqualTo(Json.parse(text)).hasSameHashCodeAs(Json.parse(text));
  }

  @Test
  void a_value_that_cannot_change_is_not_written_when_it_is_frozen() {
    var page = page();
    var json = Codec.of(Page.class).encodeLazily(page).frozen();
    assertThat(Codec.of(Page.class).decode(json)).isSameAs(page);
  }

  static Stream<Page> changing() {
    var list = new ArrayList<>(List.of("a"));
    var numbers = new ArrayList<>(List.of(1));
    var page = page();
    return Stream.of(
        new Page("t", list, Map.of(), Optional.empty(), page.more(), page.shape()),
        new Page(
            "t",
            Collections.unmodifiableList(list),
            Map.of(),
            Optional.empty(),
            page.more(),
            page.shape()),
        new Page("t", List.of(), new HashMap<>(), Optional.empty(), page.more(), page.shape()),
        new Page("t", List.of(), Map.of("n", numbers), Optional.empty(), page.more(), page.shape()),
        new Page(
            "t",
            List.of(),
            Map.of(),
            Optional.of(new LinkedHashSet<>(list)),
            page.more(),
            page.shape()),
        new Page(
            "t",
            List.of(),
            Map.of(),
            Optional.empty(),
            page.more(),
            new Shape.Group(List.of(new Shape.Group(new ArrayList<>())))));
  }

  @ParameterizedTest
  @MethodSource("changing")
  void a_value_with_anything_that_can_change_is_written_when_it_is_frozen(Page page) {
    var json = Codec.of(Page.class).encodeLazily(page).frozen();
    assertThat(Codec.of(Page.class).decode(json)).isEqualTo(page).isNotSameAs(page);
  }

  @Test
  void what_changes_after_a_value_was_frozen_does_not_reach_it() {
    var lines = new ArrayList<>(List.of("a"));
    var page = page();
    var changing = new Page("t", lines, page.notes(), page.tags(), page.more(), page.shape());
    var outer = Codec.of(Several.class);
    var inner = Codec.of(Page.class).encodeLazily(changing);
    var json = outer.encodeLazily(Several.of(inner)).frozen();
    lines.add("b");
    assertThat(json.text()).contains("\"lines\":[\"a\"]");
  }

  @Test
  void a_value_that_is_nested_too_deeply_is_refused_and_not_walked() {
    Shape shape = new Shape.Circle(1);
    for (int i = 0; i < 100_000; i++) shape = new Shape.Group(List.of(shape));
    var json = Codec.of(Shape.class).encodeLazily(shape);
    assertThatExceptionOfType(MalformedJson.class).isThrownBy(json::frozen);
  }

  @Test
  void a_value_that_cannot_be_written_is_found_when_its_text_is_made() {
    var json = Codec.of(Shape.class).encodeLazily(new Shape.Circle(Double.NaN)).frozen();
    assertThatExceptionOfType(MalformedJson.class)
        .isThrownBy(json::text)
        .withMessageContaining("NaN");
    assertThatExceptionOfType(MalformedJson.class).isThrownBy(json::verified);
  }

  @Test
  void a_value_that_reads_back_as_another_one_is_found_when_it_is_verified() {
    var same = Codec.of(Page.class).encodeLazily(page());
    assertThat(same.verified().text()).isEqualTo(Json.of(page()).text());
    var loose = new Loose(List.of(new Upper("a")), Optional.empty());
    var json = Codec.of(Loose.class).encodeLazily(loose);
    assertThatExceptionOfType(MalformedJson.class)
        .isThrownBy(json::verified)
        .withMessageContaining("not equal");
  }

  @Test
  void a_class_of_another_loader_reads_the_text() throws Exception {
    try (var other = new Twin()) {
      var twin = other.loadClass(Counted.class.getName());
      assertThat(twin).isNotSameAs(Counted.class);
      var json = Codec.of(Counted.class).encodeLazily(new Counted("hello"));
      Object read = json.as(twin);
      assertThat(read).isInstanceOf(twin).isNotInstanceOf(Counted.class);
    }
  }

  /// Defines the classes of this test anew.
  private static final class Twin extends java.net.URLClassLoader {
    Twin() {
      super(new java.net.URL[0], LazyJsonTest.class.getClassLoader());
    }

    @Override
    public Class<?> loadClass(String name) throws ClassNotFoundException {
      if (!name.startsWith(LazyJsonTest.class.getName())) return super.loadClass(name);
      var path = name.replace('.', '/') + ".class";
      try (var in = LazyJsonTest.class.getClassLoader().getResourceAsStream(path)) {
        var known = findLoadedClass(name);
        if (known != null) return known;
        var bytes = java.util.Objects.requireNonNull(in).readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
