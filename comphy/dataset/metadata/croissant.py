"""Croissant metadata (JSON-LD of ML Commons, version 1.0), so that dataset tools can find and load the sets."""

from typing import Any

from comphy.dataset import layout
from comphy.dataset.manifest import Recipe

_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


_QUESTION_FILES = ("train", "val", "test", "test_answers")


def croissant_record(recipe: Recipe) -> dict[str, Any]:
    files = [
        _file_set("target-annotations", "application/json", "target_annotation/*/*.json"),
        _file_set("reference-annotations", "application/json", "reference_annotation/*/*/*.json"),
        _file_set("extras", "application/json", "extras/extras_*/*.json"),
        *(_file_set(f"{name}-file", "application/json", f"{name}.json") for name in _QUESTION_FILES),
    ]
    if recipe.renderer != "none":
        files.append(_file_set("target-videos", "video/mp4", "target_video/*/*.mp4"))
        files.append(_file_set("reference-videos", "video/mp4", "reference_video/*/*.mp4"))
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": "comphy",
        "description": "Target and reference videos of objects with hidden mass and charge, with exact annotations.",
        "citeAs": "Chen et al., ComPhy: Compositional Physical Reasoning of Objects and Events from Videos, ICLR 2022",
        "version": f"{layout.SCHEMA_VERSION}.0.0",
        "keywords": ["physical reasoning", "video question answering", "counterfactuals"],
        "distribution": [part for files_of in files for part in (_folder(files_of["containedIn"]["@id"]), files_of)],
        "recordSet": [
            _files("targets", "target-annotations", "annotation"),
            _files("references", "reference-annotations", "annotation"),
            *(_files(f"{name}-questions", f"{name}-file", "scenes") for name in _QUESTION_FILES),
        ],
    }


def _folder(name: str) -> dict[str, Any]:
    """One for each set of files, since the reference tool reads only the first of several sets in one folder."""
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "description": "The folder that holds this file.",
        "contentUrl": "./",
        "encodingFormat": "local-directory",
        "sha256": "see manifest.json",
    }


def _file_set(name: str, encoding: str, pattern: str) -> dict[str, Any]:
    return {
        "@type": "cr:FileSet",
        "@id": name,
        "name": name,
        "containedIn": {"@id": f"{name}-folder"},
        "encodingFormat": encoding,
        "includes": pattern,
    }


def _files(name: str, files: str, content: str) -> dict[str, Any]:
    """One record a file; what its JSON holds is told in the dataset card."""
    fields = (("file", "sc:Text", "filename"), (content, "sc:Text", "content"))
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{name}/{field}",
                "name": field,
                "dataType": kind,
                "source": {"fileSet": {"@id": files}, "extract": {"fileProperty": part}},
            }
            for field, kind, part in fields
        ],
    }
