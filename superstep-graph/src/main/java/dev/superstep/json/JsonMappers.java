package dev.superstep.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.AccessorNamingStrategy;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.AnnotatedMethod;
import tools.jackson.databind.introspect.AnnotatedParameter;
import tools.jackson.databind.introspect.DefaultAccessorNamingStrategy;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.TypeFactory;

/// The one mapper behind all codecs. Strict: unknown and missing properties are errors. Immutable,
/// safe for many threads.
final class JsonMappers {
  private static final JsonMapper MAPPER =
      JsonMapper.builder(JsonText.factory(JsonLimit.READ_NESTING))
          .annotationIntrospector(new ClosedTypeNames())
          .accessorNaming(new ComponentsAlone())
          .addModule(JsonValues.module())
          .addModule(RecordConstructors.module())
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          // The text of an enum constant may change, and two constants may have the same.
          .disable(EnumFeature.WRITE_ENUMS_USING_TO_STRING)
          .disable(EnumFeature.READ_ENUMS_USING_TO_STRING)
          // A time is read with the offset and in the zone that it was written with.
          .disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
          .disable(DateTimeFeature.NORMALIZE_DESERIALIZED_ZONE_ID)
          .enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
          .build();

  private JsonMappers() {}

  static TypeFactory types() {
    return MAPPER.getTypeFactory();
  }

  static ObjectWriter writer(JavaType type) {
    return MAPPER.writerFor(type);
  }

  static ObjectReader reader(JavaType type) {
    return MAPPER.readerFor(type);
  }

  /// The reason without the library's source markers, with the path where it has one.
  static String explain(JacksonException e) {
    var why = e.getOriginalMessage();
    var line = why.indexOf('\n');
    if (line > 0) why = why.substring(0, line);
    why = why.replaceAll(" ?\\((?:but might if coercion|token `)[^()]*\\)", "");
    why = why.replaceAll("`(?:[a-z]\\w*\\.)+(?:\\w+\\$)*(\\w+)`", "`$1`");
    var path = e instanceof DatabindException d ? d.getPathReference() : "";
    return path.isEmpty()
        ? why
        : why + " (at " + path.replaceAll("[A-Za-z0-9_.$]+[.$](\\w+\\[)", "$1") + ")";
  }

  /// Stores only the components of a record. Its other methods, such as `isEmpty()`, could not be
  /// read back.
  private static final class ComponentsAlone extends DefaultAccessorNamingStrategy.Provider {
    @Override
    public AccessorNamingStrategy forRecord(MapperConfig<?> config, AnnotatedClass type) {
      return new DefaultAccessorNamingStrategy.RecordNaming(config, type) {
        @Override
        public @Nullable String findNameForRegularGetter(AnnotatedMethod method, String name) {
          return _fieldNames.contains(name) ? name : null;
        }

        @Override
        public @Nullable String findNameForIsGetter(AnnotatedMethod method, String name) {
          return null;
        }
      };
    }
  }

  /// Names the cases of sealed interfaces, requires every record component that is neither optional
  /// nor nullable, and lets no optional be null.
  private static final class ClosedTypeNames extends JacksonAnnotationIntrospector {
    @Override
    public JsonTypeInfo.@Nullable Value findPolymorphicTypeInfo(
        MapperConfig<?> config, Annotated annotated) {
      var declared = super.findPolymorphicTypeInfo(config, annotated);
      if (declared != null) return declared;
      var raw = annotated.getRawType();
      if (!(annotated instanceof AnnotatedClass) || !raw.isInterface() || !raw.isSealed()) {
        return null;
      }
      return JsonTypeInfo.Value.construct(
          JsonTypeInfo.Id.NAME, JsonTypeInfo.As.PROPERTY, "type", null, false, true, true);
    }

    @Override
    public @Nullable String findTypeName(MapperConfig<?> config, AnnotatedClass type) {
      var declared = super.findTypeName(config, type);
      return declared != null ? declared : type.getRawType().getSimpleName();
    }

    /// An optional that is null would be read as empty, and JSON that is null as the JSON `null`.
    @Override
    public @Nullable Object findNullSerializer(MapperConfig<?> config, Annotated annotated) {
      var declared = super.findNullSerializer(config, annotated);
      var type = annotated.getRawType();
      if (declared != null || (type != Optional.class && type != Json.class)) return declared;
      var instead = type == Json.class ? "Json.ofNull()" : "Optional.empty()";
      return new JsonValues.RefusedNull(annotated.getName(), instead);
    }

    @Override
    public @Nullable Boolean hasRequiredMarker(MapperConfig<?> config, AnnotatedMember member) {
      var declared = super.hasRequiredMarker(config, member);
      if (declared != null || !(member instanceof AnnotatedParameter parameter)) return declared;
      var owner = parameter.getOwner().getDeclaringClass();
      if (!owner.isRecord()) return null;
      var components = owner.getRecordComponents();
      if (components.length <= parameter.getIndex()) return null;
      var component = components[parameter.getIndex()];
      // A component that is not written at its default is absent then.
      if (parameter.hasAnnotation(JsonInclude.class)) return false;
      return component.getType() != Optional.class
          && !component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }
  }
}
