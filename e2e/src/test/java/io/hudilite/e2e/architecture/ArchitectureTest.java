package io.hudilite.e2e.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The directions of modules and packages, and who alone may touch what. */
@AnalyzeClasses(
    packages = {"io.hudilite.core", "io.hudilite.sink", "io.hudilite.source", "io.hudilite.sql"},
    importOptions = ArchitectureTest.WithoutTests.class)
class ArchitectureTest {

  /** Tests are free to look at everything; core's come here in a jar. */
  static final class WithoutTests implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("/test-classes/") && !location.contains("-tests.jar");
    }
  }

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().matching("io.hudilite.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule coreIsFreeOfTheRuntime =
      noClasses()
          .that()
          .resideInAPackage("io.hudilite.core..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.apache.flink.runtime..",
              "org.apache.flink.streaming..",
              "org.apache.flink.configuration..",
              "org.apache.flink.connector..",
              "org.apache.flink.api..",
              "org.apache.flink.table.api..",
              "org.apache.flink.table.catalog..",
              "org.apache.flink.table.factories..");

  @ArchTest
  static final ArchRule coreKnowsNoOtherModule =
      noClasses()
          .that()
          .resideInAPackage("io.hudilite.core..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.hudilite.sink..", "io.hudilite.source..", "io.hudilite.sql..");

  @ArchTest
  static final ArchRule sinkKnowsNeitherSourceNorSql =
      noClasses()
          .that()
          .resideInAPackage("io.hudilite.sink..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.hudilite.source..", "io.hudilite.sql..");

  @ArchTest
  static final ArchRule sourceKnowsNeitherSinkNorSql =
      noClasses()
          .that()
          .resideInAPackage("io.hudilite.source..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.hudilite.sink..", "io.hudilite.sql..");

  /** Clocks come in from outside; the one class turns their milliseconds into digits. */
  @ArchTest
  static final ArchRule momentsAreInstantTimes =
      noClasses()
          .that()
          .resideInAPackage("io.hudilite.core..")
          .and()
          .doNotHaveFullyQualifiedName("io.hudilite.core.timeline.InstantTime")
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.time.Instant");

  @ArchTest
  static final ArchRule oneClassTouchesFlinksFileSystems =
      noClasses()
          .that()
          .resideInAPackage("io.hudilite..")
          .and()
          .haveNameNotMatching("io\\.hudilite\\.core\\.storage\\.FlinkStorage(\\$.*)?")
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("org.apache.flink.core.fs.FileSystem");

  /** Nobody else writes there, so nobody else needs to know where it is. */
  @ArchTest
  static final ArchRule oneClassTouchesTheTimelineFolder =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName("io.hudilite.core.timeline.TimelineStore")
          .and()
          .doNotHaveFullyQualifiedName("io.hudilite.core.config.TableConfigStore")
          .and()
          .doNotHaveFullyQualifiedName("io.hudilite.core.config.TableConfig")
          .should()
          .callMethod("io.hudilite.core.config.TableConfig", "timelinePath");

  /** Below the SQL factory there are typed settings, no options. */
  @ArchTest
  static final ArchRule optionKeysStayInSql =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.hudilite.sql..")
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("org.apache.flink.configuration.ConfigOptions");

  @ArchTest
  static final ArchRule hadoopIsNeverLoaded =
      noClasses()
          .that()
          .resideInAPackage("io.hudilite..")
          .should()
          .dependOnClassesThat(resideInAPackage("org.apache.hadoop.."));

  @ArchTest
  static final ArchRule parquetStaysInTheBaseFileCodec =
      classes()
          .that(resideInAnyPackage("org.apache.parquet.."))
          .should()
          .onlyHaveDependentClassesThat()
          .resideInAnyPackage("io.hudilite.core.base..", "org.apache.parquet..")
          .allowEmptyShould(true);
}
