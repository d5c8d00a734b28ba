package dev.superstep.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("W60")
class CodecTest {
  enum Size {
    SMALL,
    LARGE
  }

  record Point(int x, int y) {}

  record Everything(
      String text,
      boolean yes,
      int number,
      long big,
      double real,
      char letter,
      BigDecimal exact,
      BigInteger huge,
      UUID uuid,
      URI uri,
      Instant at,
      Duration took,
      LocalDate day,
      Size size,
      Point point,
      Optional<Point> maybe,
      List<Point> points,
      Set<String> names,
      Map<String, Point> places) {}

  sealed interface Shape {
    record Circle(double radius) implements Shape {}

    record Square(double side) implements Shape {}

    /// A case that is a family of its own.
    sealed interface Curve extends Shape {
      record Line(Point from, Point to) implements Curve {}

      record Bow(int degrees) implements Curve {}
    }
  }

  record Drawing(Shape first, List<Shape> rest) {}

  record Tree(String name, List<Tree> children) {}

  record Basket(List<String> fruit, boolean isFull) {
    public boolean isEmpty() {
      return fruit.isEmpty();
    }

    public int getSize() {
      return fruit.size();
    }
  }

  record Holder(Json json, Optional<Json> more) {}

  static <T> void comesBack(Codec<T> codec, T value) {
    assertThat(codec.decode(codec.encode(value))).isEqualTo(value);
  }

  @Test
  void methods_of_a_record_besides_its_components_are_not_stored() {
    var codec = Codec.of(Basket.class);
    assertThat(codec.encode(new Basket(List.of("fig"), true)).text())
        .isEqualTo("{\"fruit\":[\"fig\"],\"isFull\":true}");
    comesBack(codec, new Basket(List.of("fig"), true));
  }

  enum Same {
    ONE,
    TWO;

    @Override
    public String toString() {
      return "same";
    }
  }

  record Named(Same same, Set<Same> all) {}

  @Test
  void enum_constants_are_stored_by_name_and_a_set_of_them_keeps_its_order() {
    var named = new Named(Same.TWO, new LinkedHashSet<>(List.of(Same.TWO, Same.ONE)));
    var read = Codec.of(Named.class).decode(Codec.of(Named.class).encode(named));
    assertThat(read).isEqualTo(named);
    assertThat(read.all()).containsExactly(Same.TWO, Same.ONE);
  }

  record Meeting(OffsetDateTime begins, ZonedDateTime ends) {}

  @Test
  void a_time_keeps_its_offset_and_its_zone() {
    var at = OffsetDateTime.parse("2026-03-01T09:00:00+05:30");
    comesBack(
        Codec.of(Meeting.class),
        new Meeting(at, at.atZoneSameInstant(ZoneId.of("America/St_Johns"))));
  }

  record Note(String text, Optional<String> author) {}

  @Test
  @SuppressWarnings({"NullAway", "OptionalAssignedToNull"}) // what a careless caller does
  void an_optional_that_is_null_is_refused_when_it_is_written() {
    assertThatExceptionOfType(MalformedJson.class)
        .isThrownBy(() -> Json.of(new Note("hi", null)))
        .withMessageContaining("Optional.empty()")
        .withMessageContaining("author");
    assertThatExceptionOfType(MalformedJson.class)
        .isThrownBy(() -> Codec.of(Note.class).encode(null))
        .withMessageContaining("null");
  }

  @Test
  void a_record_of_all_kinds_of_parts_comes_back_equal() {
    var value =
        new Everything(
            "a \"quoted\" \u0000 \ud83d\ude80 text",
            true,
            Integer.MIN_VALUE,
            Long.MAX_VALUE,
            0.1,
            'z',
            new BigDecimal("1234567890.123456789012345678901234567890"),
            BigInteger.TWO.pow(200),
            new UUID(1, 2),
            URI.create("https://example.org/a?b=c"),
            Instant.parse("2026-01-02T03:04:05.123456789Z"),
            Duration.ofNanos(1_234_567_890_123L),
            LocalDate.of(2026, 2, 28),
            Size.LARGE,
            new Point(1, 2),
            Optional.of(new Point(3, 4)),
            List.of(new Point(5, 6), new Point(7, 8)),
            Set.of("a"),
            Map.of("home", new Point(9, 10)));
    comesBack(Codec.of(Everything.class), value);
  }

  @Test
  void numbers_at_the_edge_come_back_equal() {
    comesBack(Codec.of(Double.class), Double.MIN_VALUE);
    comesBack(Codec.of(Double.class), -0.0);
    comesBack(Codec.of(Float.class), Float.MAX_VALUE);
    comesBack(Codec.of(Long.class), Long.MIN_VALUE);
    comesBack(Codec.of(BigDecimal.class), new BigDecimal("1E+400"));
  }

  @Test
  @Tag("W62")
  void a_number_that_json_does_not_know_is_refused() {
    for (double odd : new double[] {Double.NaN, Double.NEGATIVE_INFINITY}) {
      assertThatExceptionOfType(MalformedJson.class).isThrownBy(() -> Json.of(odd));
    }
    assertThatExceptionOfType(MalformedJson.class).isThrownBy(() -> Json.of(Float.NaN));
  }

  @Test
  void a_case_of_a_sealed_type_is_written_with_its_simple_name_as_type() {
    var codec = Codec.of(Shape.class);
    assertThat(codec.encode(new Shape.Circle(2)))
        .hasToString("{\"type\":\"Circle\",\"radius\":2.0}");
    comesBack(codec, new Shape.Square(3));
    comesBack(codec, new Shape.Curve.Line(new Point(1, 2), new Point(3, 4)));
    comesBack(
        Codec.of(Drawing.class),
        new Drawing(new Shape.Curve.Bow(3), List.of(new Shape.Circle(1), new Shape.Square(2))));
  }

  @Test
  void collections_of_a_sealed_type_keep_the_type_of_each_item() {
    comesBack(Codec.listOf(Shape.class), List.of(new Shape.Circle(1), new Shape.Square(2)));
    comesBack(Codec.mapOf(Shape.class), Map.of("a", new Shape.Curve.Bow(1)));
    comesBack(Codec.setOf(Shape.class), Set.of(new Shape.Circle(1)));
  }

  @Test
  void an_absent_optional_reads_as_empty() {
    assertThat(Json.parse("{\"text\":\"hi\"}").as(Note.class))
        .isEqualTo(new Note("hi", Optional.empty()));
    comesBack(Codec.of(Note.class), new Note("hi", Optional.empty()));
  }

  @Test
  void a_type_that_holds_itself_comes_back_equal() {
    comesBack(
        Codec.of(Tree.class),
        new Tree("a", List.of(new Tree("b", List.of()), new Tree("c", List.of()))));
  }

  @Test
  void json_inside_a_value_is_written_as_json_and_not_as_text() {
    var holder = new Holder(Json.parse("{\"a\":[1,\"x\"]}"), Optional.of(Json.ofNull()));
    var codec = Codec.of(Holder.class);
    assertThat(codec.encode(holder)).hasToString("{\"json\":{\"a\":[1,\"x\"]},\"more\":null}");
    comesBack(codec, new Holder(Json.parse("[1.50,null,{\"b\":true}]"), Optional.empty()));
    comesBack(codec, new Holder(Json.ofNull(), Optional.of(Json.string("x"))));
    comesBack(Codec.of(Json.class), Json.ofNull());
    comesBack(codec, new Holder(Json.of(1e10), Optional.of(Json.of(-0.0))));
  }

  @Test
  void primitive_and_boxed_types_share_a_codec() {
    assertThat(Codec.of(int.class)).isSameAs(Codec.of(Integer.class));
  }

  @Test
  void order_of_sets_and_maps_is_kept() {
    var names = List.of("pear", "apple", "fig", "kiwi", "plum", "lime");
    var set = new java.util.LinkedHashSet<>(names);
    var codec = Codec.setOf(String.class);
    assertThat(codec.decode(codec.encode(set))).containsExactlyElementsOf(names);
    var map = new java.util.LinkedHashMap<String, Integer>();
    names.forEach(name -> map.put(name, name.length()));
    var maps = Codec.mapOf(Integer.class);
    assertThat(maps.decode(maps.encode(map)).keySet()).containsExactlyElementsOf(names);
  }
}
