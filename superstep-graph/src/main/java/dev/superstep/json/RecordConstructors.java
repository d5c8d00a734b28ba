package dev.superstep.json;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.ValueInstantiators;
import tools.jackson.databind.deser.std.StdValueInstantiator;
import tools.jackson.databind.introspect.AnnotatedWithParams;
import tools.jackson.databind.module.SimpleModule;

/// Creates records by their constructors. Jackson calls them by `MethodHandle.invokeWithArguments`,
/// for which the JVM makes classes for each list of parameter types, and which is slow forever.
final class RecordConstructors extends ValueInstantiators.Base {
  private RecordConstructors() {}

  static JacksonModule module() {
    var module =
        new SimpleModule("superstep-records") {
          @Override
          public void setupModule(SetupContext context) {
            super.setupModule(context);
            context.addValueInstantiators(new RecordConstructors());
          }
        };
    return module;
  }

  @Override
  public ValueInstantiator modifyValueInstantiator(
      DeserializationConfig config, BeanDescription.Supplier bean, ValueInstantiator standard) {
    return standard instanceof StdValueInstantiator known && bean.getBeanClass().isRecord()
        ? new ByConstructor(known)
        : standard;
  }

  /// Safe for many threads.
  private static final class ByConstructor extends StdValueInstantiator {
    // Its package may be open to Jackson alone, which then calls it.
    private boolean isClosed;

    ByConstructor(StdValueInstantiator standard) {
      super(standard);
    }

    @Override
    public @Nullable Object createFromObjectWith(DeserializationContext context, Object[] values) {
      AnnotatedWithParams creator = _withArgsCreator;
      if (isClosed
          || creator == null
          || !(creator.getAnnotated() instanceof Constructor<?> constructor)) {
        return super.createFromObjectWith(context, values);
      }
      try {
        return constructor.newInstance(values);
      } catch (InvocationTargetException e) {
        return refused(context, values, e.getTargetException());
      } catch (IllegalAccessException _) {
        isClosed = true;
        return super.createFromObjectWith(context, values);
      } catch (InstantiationException | IllegalArgumentException e) {
        return refused(context, values, e);
      }
    }

    private @Nullable Object refused(
        DeserializationContext context, Object[] values, Throwable why) {
      if (why instanceof Error error) throw error;
      return context.handleInstantiationProblem(
          getValueClass(), values, rewrapCtorProblem(context, why));
    }
  }
}
