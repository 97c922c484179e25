"""Files are written whole, through links, and nothing but files is written over."""

import os
from pathlib import Path

import pytest

from exactsched.exact.atomic_files import write_whole
from exactsched.exact.errors import InvalidInput


def test_a_new_file(tmp_path: Path) -> None:
    write_whole(tmp_path / "new", "naïve\n")
    assert (tmp_path / "new").read_bytes() == "naïve\n".encode()
    assert os.listdir(tmp_path) == ["new"]


def test_an_old_file_keeps_its_mode(tmp_path: Path) -> None:
    target = tmp_path / "old"
    target.write_text("old")
    target.chmod(0o640)
    write_whole(target, "new")
    assert target.read_text() == "new"
    assert target.stat().st_mode & 0o777 == 0o640


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("old")
    (tmp_path / "link").symlink_to("target")
    write_whole(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text() == "new"


def test_a_pipe_and_a_folder_are_left_alone(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name in ("pipe", "folder"):
        with pytest.raises(InvalidInput, match="not an ordinary file"):
            write_whole(tmp_path / name, "new")
    assert (tmp_path / "pipe").is_fifo()
    assert sorted(os.listdir(tmp_path)) == ["folder", "pipe"]


def test_an_error_names_the_file_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        write_whole(tmp_path / "missing" / "file", "new")
    assert caught.value.filename == str(tmp_path / "missing" / "file")
    assert os.listdir(tmp_path) == []
