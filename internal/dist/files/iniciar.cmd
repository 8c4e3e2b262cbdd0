@echo off
chcp 65001 >nul
title maquininha
cd /d "%~dp0"
maquininha.exe %*
if errorlevel 1 pause
