package dev.superstep.spring.test;

import dev.superstep.tool.ToolMethod;
import java.io.IOException;
import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;

/// Keeps of the components of an application those that have tools.
final class SuperstepTypeFilter
    extends StandardAnnotationCustomizableTypeExcludeFilter<SuperstepTest> {
  SuperstepTypeFilter(Class<?> test) {
    super(test);
  }

  @Override
  protected boolean defaultInclude(MetadataReader reader, MetadataReaderFactory factory)
      throws IOException {
    var metadata = reader.getAnnotationMetadata();
    return metadata.hasAnnotatedMethods(ToolMethod.class.getName())
        || metadata.isAnnotated("org.springframework.context.annotation.Configuration")
        || super.defaultInclude(reader, factory);
  }
}
