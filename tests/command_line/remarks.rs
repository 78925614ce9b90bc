//! Remarks: what was done with each region, and why not.

use super::place::Place;
use serde_json::Value;

const ROWS: &str = "void rows(int n, int m, const double a[restrict n][m], double y[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < m; j++)
            s += a[i][j];
        y[i] = s;
    }
#pragma endscop
}

void running(int n, double y[restrict n])
{
#pragma scop
    for (int i = 1; i < n; i++)
        y[i] += y[i - 1];
#pragma endscop
}
";

#[test]
fn remarks_are_documents_as_llvm_writes_them() {
    let place = Place::new();
    place.write("rows.c", ROWS);
    place
        .run("compile rows.c -o out.c --remarks out.yaml")
        .status(0);
    let text = place.read("out.yaml");
    let documents: Vec<&str> = text.split_inclusive("...\n").collect();
    assert!(documents.len() >= 4, "{text}");
    for document in &documents {
        let lines: Vec<&str> = document.lines().collect();
        assert!(lines[0].starts_with("--- !"), "{document}");
        assert_eq!(lines[1], "Pass:            tilewright");
        assert!(lines[3].starts_with("DebugLoc:        { File: 'rows.c', Line: "));
        assert_eq!(lines[5], "Args:");
        assert_eq!(lines.len(), 8, "{document}");
    }
    let with = |parts: &[&str]| {
        let mut all = documents.iter();
        all.any(|document| parts.iter().all(|part| document.contains(part)))
    };
    assert!(
        with(&[
            "!Passed",
            "Function:        rows",
            "Line: 4,",
            "side by side"
        ]),
        "{text}"
    );
    assert!(
        with(&["!Analysis", "Name:            Predicted", "million cycles"]),
        "{text}"
    );
    assert!(
        with(&[
            "!Analysis",
            "Name:            Condition",
            "otherwise the original"
        ]),
        "{text}"
    );
    let why = "not all of its outermost loops are parallel";
    assert!(
        with(&["!Missed", "Function:        running", "Line: 16,", why]),
        "{text}"
    );
}

#[test]
fn remarks_are_results_of_an_analysis() {
    let place = Place::new();
    place.write("rows.c", ROWS);
    place
        .run("compile rows.c -o out.c --remarks out.sarif")
        .status(0);
    let log: Value = serde_json::from_str(&place.read("out.sarif")).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    for result in results {
        assert!(
            rules.iter().any(|rule| rule["id"] == result["ruleId"]),
            "{result}"
        );
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "rows.c");
        assert!(place["region"]["startLine"].as_u64().unwrap() >= 4);
    }
    let missed: Vec<&Value> = results.iter().filter(|r| r["kind"] == "open").collect();
    assert_eq!(missed.len(), 1, "{log:#}");
    assert_eq!(
        missed[0]["locations"][0]["logicalLocations"][0]["name"],
        "running"
    );
}

#[test]
fn remarks_are_lines() {
    let place = Place::new();
    place.write("rows.c", ROWS);
    let option = "[-Rpass-missed=tilewright]";
    place
        .run("compile rows.c -o out.c --remarks -")
        .status(0)
        .says("rows.c:4:1: remark: rows: s, y: loops as written.")
        .says(option);
    let ended = place.run("compile rows.c -o other.c --remarks out.rst");
    ended.status(2).says("ends in .txt, .yaml or .sarif");
    assert!(!place.path("other.c").exists());
}
